-- Evidence that is in a prompt by its id, and whose required passage is not there.
-- Grain: one row a required group of a joined request of which that is known (request_id, group_no).
-- Parameters: $default_snapshot is the snapshot of requests that name none.
-- The passage is the quote by which gold names the evidence, else the text of the chunk. What is not recorded, or cannot be
-- compared, counts as there. `share`: how much of the chunk is in the prompt, where that was measured.
WITH in_prompt AS (
    SELECT
        subject.request_id,
        subject.prompt_text,
        required.snapshot_id,
        required.case_id,
        required.group_no,
        CASE WHEN NOT required.split THEN required.quotes END AS quotes,
        list_filter(required.alternatives, lambda id: list_contains(subject.prompt_ids, id)) AS ids,
        CASE WHEN subject.prompt_shares IS NOT NULL THEN list_max(list_transform(
            required.alternatives,
            lambda id: element_at_rank(subject.prompt_shares, nullif(array_position(subject.prompt_ids, id), 0))
        )) END AS share
    FROM subject
    JOIN joined ON joined.request_id = subject.request_id
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(subject.snapshot_id, CAST($default_snapshot AS VARCHAR))
    JOIN required
        ON required.case_id = joined.case_id
        AND required.snapshot_id = coalesce(corpus_snapshot.snapshot_id, '')
    WHERE subject.prompt_ids IS NOT NULL
      AND (subject.prompt_text IS NOT NULL OR subject.prompt_shares IS NOT NULL)
),
-- Most passages stand in the prompt letter by letter, and need no comparison by words.
suspect AS (
    SELECT
        in_prompt.request_id,
        in_prompt.group_no,
        in_prompt.quotes,
        in_prompt.share,
        list_filter(passage.passages, lambda one: list_contains(in_prompt.ids, one.chunk_id)) AS passages,
        len(in_prompt.ids) AS members,
        in_prompt.prompt_text
    FROM in_prompt
    LEFT JOIN passage
        ON passage.snapshot_id = in_prompt.snapshot_id
        AND passage.case_id = in_prompt.case_id
        AND passage.group_no = in_prompt.group_no
    WHERE len(in_prompt.ids) > 0 AND coalesce(in_prompt.share < 1, TRUE)
),
compared AS (
    SELECT
        request_id,
        group_no,
        quotes,
        share,
        passages,
        coalesce(len(passages) = members, FALSE) AS texts_known,
        spoken(prompt_text) AS prompt
    FROM suspect
    WHERE coalesce(len(list_filter(passages, lambda one: contains(prompt_text, one.text))) = 0, TRUE)
      AND coalesce(len(list_filter(quotes, lambda quote: contains(prompt_text, quote))) = 0, TRUE)
)
SELECT request_id, group_no, share
FROM compared
WHERE CASE
    WHEN quotes IS NOT NULL AND prompt IS NOT NULL
    THEN len(list_filter(quotes, lambda quote: contains(prompt, spoken(quote)))) = 0
        AND coalesce(len(list_filter(passages, lambda one: contains(prompt, one.parts.whole))) = 0, TRUE)
    -- Shares below this one come from cuts only, not from texts that were rewritten a little.
    WHEN share IS NOT NULL THEN share < 0.85
    -- Of each alternative that is said to be there, only the beginning is.
    ELSE texts_known
        AND len(list_filter(
            passages,
            lambda one: NOT coalesce(is_cut_in(prompt, one.parts.head, one.parts.late, one.parts.tail), FALSE)
        )) = 0
END
