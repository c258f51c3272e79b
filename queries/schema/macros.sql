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

-- GenAI messages, and parts of a message, from JSON: each text is parsed once, all of it.
CREATE OR REPLACE MACRO parsed_messages(messages) AS
    from_json(
        messages,
        '[{"role": "VARCHAR", "content": "VARCHAR", "parts": [{"type": "VARCHAR", "content": "VARCHAR"}],'
        || ' "finish_reason": "VARCHAR"}]'
    );
CREATE OR REPLACE MACRO parsed_parts(parts) AS from_json(parts, '[{"type": "VARCHAR", "content": "VARCHAR"}]');

-- The text parts of a list of parsed parts, joined; NULL without any (a part with an empty text is one).
CREATE OR REPLACE MACRO part_text(parts) AS
    list_aggregate(
        list_transform(parts, lambda part: CASE WHEN part.type = 'text' THEN part.content END), 'string_agg', E'\n'
    );

-- Parsed messages in their type, which NULL has none of.
CREATE OR REPLACE MACRO as_messages(messages) AS
    CAST(
        messages AS STRUCT(
            "role" VARCHAR, "content" VARCHAR, parts STRUCT("type" VARCHAR, "content" VARCHAR)[], finish_reason VARCHAR
        )[]
    );

-- Whether parsed messages are one message with one text, as most are: the text is then taken without a look at the rest.
CREATE OR REPLACE MACRO is_one_text(messages) AS
    CASE
        WHEN messages IS NOT NULL
        THEN len(as_messages(messages)) = 1
            AND len(as_messages(messages)[1].parts) = 1
            AND as_messages(messages)[1].parts[1].type = 'text'
            AND as_messages(messages)[1].parts[1].content IS NOT NULL
    END;

-- The text of parsed messages, joined by an empty line; NULL without any text.
CREATE OR REPLACE MACRO message_text(messages) AS
    CASE
        WHEN is_one_text(messages) THEN as_messages(messages)[1].parts[1].content
        ELSE list_aggregate(
            list_transform(messages, lambda message: coalesce(part_text(message.parts), message.content)),
            'string_agg',
            E'\n\n'
        )
    END;

-- The text of the last of the parsed messages that has one of the roles; NULL without any text.
CREATE OR REPLACE MACRO last_message_text(messages, roles) AS
    CASE
        WHEN is_one_text(messages)
        THEN CASE
            WHEN list_contains(roles, as_messages(messages)[1].role) THEN as_messages(messages)[1].parts[1].content
        END
        ELSE list_filter(
            list_transform(
                messages,
                lambda message: CASE
                    WHEN list_contains(roles, message.role) THEN coalesce(part_text(message.parts), message.content)
                END
            ),
            lambda text: text IS NOT NULL
        )[-1]
    END;

-- Whether parsed parts, or all parts of parsed messages, are texts; NULL without any.
CREATE OR REPLACE MACRO are_plain_parts(parts) AS
    list_aggregate(
        list_transform(parts, lambda part: coalesce(part.type = 'text' AND part.content IS NOT NULL, FALSE)), 'bool_and'
    );
CREATE OR REPLACE MACRO are_plain_messages(messages) AS
    list_aggregate(
        list_transform(
            messages,
            lambda message: CASE
                WHEN message.parts IS NULL THEN coalesce(left(message.content, 1) NOT IN ('[', '{'), FALSE)
                ELSE coalesce(are_plain_parts(message.parts), FALSE)
            END
        ),
        'bool_and'
    );

-- Whether a prompt that begins so may be the default one of a reranker, a compressor or a query rewriter.
CREATE OR REPLACE MACRO asks_for_no_answer(head) AS
    contains(CAST(head AS VARCHAR), 'documents is shown below')
    OR contains(CAST(head AS VARCHAR), 'Respond with the numbers')
    OR contains(CAST(head AS VARCHAR), 'multiple search queries')
    OR contains(CAST(head AS VARCHAR), 'write a passage to answer')
    OR contains(CAST(head AS VARCHAR), 'standalone question')
    OR contains(CAST(head AS VARCHAR), 'Sort the Documents')
    OR contains(CAST(head AS VARCHAR), 'context is relevant to the question')
    OR contains(CAST(head AS VARCHAR), 'part of the context *AS')
    OR contains(CAST(head AS VARCHAR), 'versions of the given user');

-- A word for a decision as one of ours: answer, refuse or clarify; NULL for any other.
CREATE OR REPLACE MACRO decision_word(t) AS
    CASE
        WHEN lower(trim(t)) IN ('answer', 'answered') THEN 'answer'
        WHEN lower(trim(t)) IN ('refuse', 'refused', 'refusal', 'abstain', 'abstained') THEN 'refuse'
        WHEN lower(trim(t)) IN ('clarify', 'clarification') THEN 'clarify'
    END;

-- What encoders write for line feeds, tabs and quotation marks, undone: tool results reach a prompt as JSON.
CREATE OR REPLACE MACRO undone(t) AS replace(replace(replace(replace(t, '\n', ' '), '\r', ' '), '\t', ' '), '\"', '"');

-- The words of a text with a blank before and behind each, so that a run of words is found as a part of the text.
CREATE OR REPLACE MACRO spoken(t) AS ' ' || array_to_string(words_of(undone(t)), ' ') || ' ';

-- The words of a chunk as a passage to be found: all of it, and for longer ones the first five words, the five before what
-- may be lost without harm (15 %), and the last five.
CREATE OR REPLACE MACRO passage_of(words) AS
    CASE
        WHEN len(words) >= 15
        THEN struct_pack(
            whole := ' ' || array_to_string(words, ' ') || ' ',
            head := ' ' || array_to_string(list_slice(words, 1, 5), ' ') || ' ',
            late := ' ' || array_to_string(
                list_slice(words, CAST(ceil(0.85 * len(words)) AS BIGINT) - 4, CAST(ceil(0.85 * len(words)) AS BIGINT)), ' '
            ) || ' ',
            tail := ' ' || array_to_string(list_slice(words, -5, -1), ' ') || ' '
        )
        WHEN words IS NOT NULL
        THEN struct_pack(
            whole := ' ' || array_to_string(words, ' ') || ' ',
            head := CAST(NULL AS VARCHAR),
            late := CAST(NULL AS VARCHAR),
            tail := CAST(NULL AS VARCHAR)
        )
    END;

-- Whether of a passage only the beginning stands in a prompt, all of them as spoken.
CREATE OR REPLACE MACRO is_cut_in(prompt, head, late, tail) AS
    contains(CAST(prompt AS VARCHAR), CAST(head AS VARCHAR))
    AND NOT contains(CAST(prompt AS VARCHAR), CAST(late AS VARCHAR))
    AND NOT contains(CAST(prompt AS VARCHAR), CAST(tail AS VARCHAR));

-- Whether a moment lies in a validity window; an open side has no end. `ends` is the first moment outside.
CREATE OR REPLACE MACRO is_valid_at(starts, ends, moment) AS
    CASE WHEN moment IS NOT NULL THEN coalesce(starts <= moment, TRUE) AND coalesce(moment < ends, TRUE) END;

-- An answer without the marks of its citations.
CREATE OR REPLACE MACRO claimed(answer) AS regexp_replace(answer, '\s*[\[【][^\]\[【】]{1,40}[\]】]', '', 'g');

-- The numbers that an answer cites by plain marks, `[1]` behind white space or a stop; NULL where it may cite in any other
-- way, or cites nothing. Other marks, code and indices are left to otel_ragfault.recovery.citations.
CREATE OR REPLACE MACRO plain_marks(answer) AS
    CASE
        WHEN contains(CAST(answer AS VARCHAR), '[')
            AND NOT regexp_matches(
                answer, '[(【`~]|\[[^0-9]|\[[0-9]*$|\[[0-9]+[^0-9\]]|\[[0-9]{5}|[^\s.,;:!?\]]\['
            )
        THEN CAST(regexp_extract_all(answer, '\[([0-9]+)\]', 1) AS INTEGER[])
    END;

-- The chunks that numbers mean, counted from 1 in the order of the prompt, each once; NULL where one means none.
CREATE OR REPLACE MACRO chunks_at(numbers, prompt_ids) AS
    CASE
        WHEN list_count(list_transform(numbers, lambda number: CAST(prompt_ids AS VARCHAR[])[number])) = len(numbers)
        THEN list_filter(
            list_transform(numbers, lambda number: CAST(prompt_ids AS VARCHAR[])[number]),
            lambda id, place: list_position(
                list_transform(numbers, lambda number: CAST(prompt_ids AS VARCHAR[])[number]), id
            ) = place
        )
    END;

-- Whether a text, as spoken, says what an answer, in words, says: all of it in its order, or every number in it, a single
-- digit beside a word that it stands beside in the answer ("section 2" does not say "2 of them").
CREATE OR REPLACE MACRO says(text, answer) AS
    (
        len(CAST(answer AS VARCHAR[])) >= 3
        AND contains(CAST(text AS VARCHAR), ' ' || array_to_string(CAST(answer AS VARCHAR[]), ' ') || ' ')
    )
    OR (
        len(list_filter(CAST(answer AS VARCHAR[]), lambda word: regexp_matches(word, '^\p{N}'))) > 0
        AND len(list_filter(
            CAST(answer AS VARCHAR[]),
            lambda word, place: regexp_matches(word, '^\p{N}')
                AND NOT CASE
                    WHEN len(CAST(answer AS VARCHAR[])) = 1 OR len(word) > 1 THEN contains(CAST(text AS VARCHAR), ' ' || word || ' ')
                    ELSE coalesce(contains(
                        CAST(text AS VARCHAR), ' ' || word || ' ' || list_extract(CAST(answer AS VARCHAR[]), place + 1) || ' '
                    ), FALSE)
                    OR place > 1 AND contains(
                        CAST(text AS VARCHAR), ' ' || list_extract(CAST(answer AS VARCHAR[]), place - 1) || ' ' || word || ' '
                    )
                END
        )) = 0
    );

-- A list of names from an attribute: a JSON list, or a single name. NULL for a list that was cut, or that holds no name.
CREATE OR REPLACE MACRO names_in(t) AS
    CASE
        WHEN json_valid(t) AND starts_with(t, '[')
        THEN CASE WHEN list_count(from_json(t, '["VARCHAR"]')) = len(from_json(t, '["VARCHAR"]')) THEN from_json(t, '["VARCHAR"]') END
        WHEN trim(t) <> '' AND NOT starts_with(t, '[') THEN [t]
    END;

-- Identity of a verdict as an event that is sent out: the same verdict is the same event whenever it is sent.
CREATE OR REPLACE MACRO verdict_event_id(request, subject, target, claim, source, judge, config, repeat_no, judged_at) AS
    CASE
        WHEN request IS NOT NULL
        THEN md5(CAST(
            to_json([
                CAST(request AS VARCHAR), subject, target, claim, source, judge, config,
                CAST(repeat_no AS VARCHAR), CAST(epoch_us(CAST(judged_at AS TIMESTAMP)) AS VARCHAR)
            ]) AS VARCHAR
        ))
    END;
