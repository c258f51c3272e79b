-- Small functions that people and the other queries share.
-- Grain: none. Each is pure; NULL in gives NULL out.

-- Hex text of a trace id or a span id, as every other tool prints it.
CREATE OR REPLACE MACRO trace_hex(id) AS replace(CAST(id AS VARCHAR), '-', '');
CREATE OR REPLACE MACRO span_hex(id) AS format('{:016x}', id);

-- The element at a 1-based position; NULL beyond the end. (The bracket means another element in other engines.)
CREATE OR REPLACE MACRO element_at_rank(elements, rank) AS CASE WHEN rank <= len(elements) THEN elements[rank] END;

-- A question as a join key: NFC, every run of white space (of Unicode, not of ASCII only) one blank, trimmed.
-- NUL counts as white space: nfc_normalize would end a text there.
CREATE OR REPLACE MACRO normalise_text(t) AS
    trim(regexp_replace(nfc_normalize(replace(t, chr(0), ' ')), '[\s\p{Z}\x{85}]+', ' ', 'g'));

-- The words of a text, lower case, letters and digits of any script. Scripts that put no blank between words are
-- cut into characters: without a dictionary no word of theirs can be told from another.
CREATE OR REPLACE MACRO words_of(t) AS
    CASE
        WHEN strlen(t) = length(t) THEN regexp_extract_all(lower(t), '[a-z0-9]+') -- ASCII, which is most of it
        ELSE regexp_extract_all(
            regexp_replace(
                lower(nfc_normalize(replace(t, chr(0), ' '))),
                '([\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}][\p{M}\x{30fc}\x{ff70}]*)',
                ' \1 ',
                'g'
            ),
            '[\p{L}\p{M}\p{N}]+'
        )
    END;

-- The JSON that an attribute carries: attributes arrive as JSON text in a string, or structured. NULL when it is cut.
CREATE OR REPLACE MACRO json_payload(value) AS
    CASE
        WHEN json_type(value) <> 'VARCHAR' THEN nullif(value, 'null'::JSON)
        WHEN json_valid(value ->> '$') THEN CAST(value ->> '$' AS JSON)
    END;

-- The text parts of a list of message parts, joined; NULL without any (a part with an empty text is one).
CREATE OR REPLACE MACRO part_text(parts) AS
    array_to_string(
        nullif(list_transform(
            list_filter(
                from_json(parts, '[{"type": "VARCHAR", "content": "VARCHAR"}]'),
                lambda part: part.type = 'text' AND part.content IS NOT NULL
            ),
            lambda part: part.content
        ), []),
        E'\n'
    );

-- The text of GenAI messages, of one role or (NULL) of all, joined by an empty line; NULL without any text.
CREATE OR REPLACE MACRO message_text(messages, wanted_role) AS
    array_to_string(
        nullif(list_filter(
            list_transform(
                list_filter(
                    from_json(messages, '[{"role": "VARCHAR", "content": "VARCHAR", "parts": "JSON"}]'),
                    lambda message: wanted_role IS NULL OR message.role = wanted_role
                ),
                lambda message: coalesce(part_text(message.parts), message.content)
            ),
            lambda text: text IS NOT NULL
        ), []),
        E'\n\n'
    );

-- The text of the last message of a role; NULL without any text.
CREATE OR REPLACE MACRO last_message_text(messages, wanted_role) AS
    list_filter(
        list_transform(
            list_filter(
                from_json(messages, '[{"role": "VARCHAR", "content": "VARCHAR", "parts": "JSON"}]'),
                lambda message: message.role = wanted_role
            ),
            lambda message: coalesce(part_text(message.parts), message.content)
        ),
        lambda text: text IS NOT NULL
    )[-1];

-- A word for a decision as one of ours: answer, refuse or clarify; NULL for any other.
CREATE OR REPLACE MACRO decision_word(t) AS
    CASE
        WHEN lower(trim(t)) IN ('answer', 'answered') THEN 'answer'
        WHEN lower(trim(t)) IN ('refuse', 'refused', 'refusal', 'abstain', 'abstained') THEN 'refuse'
        WHEN lower(trim(t)) IN ('clarify', 'clarification') THEN 'clarify'
    END;
