-- Gold ids that occur nowhere: in no loaded corpus, no ranking and no prompt; each with the id that was probably meant.
-- The kinds are tried in the order of the CASE, from the surest to the weakest; a relation by prefix or suffix is a
-- guess and is not tried. Without any known id there is nothing to compare with, and no row.
-- Grain: one row a gold chunk id. Columns: gold_id, kind, known_id (NULL for unknown), cases (how many require it).
WITH gold AS (
    SELECT chunk_id AS gold_id, count(DISTINCT case_id) AS cases
    FROM gold_evidence
    WHERE chunk_id IS NOT NULL
    GROUP BY chunk_id
),
known AS (
    SELECT chunk_id AS id FROM corpus_chunk
    UNION
    SELECT unnest(ranked_ids) FROM request
    UNION
    SELECT unnest(candidate_ids) FROM request
    UNION
    SELECT unnest(prompt_ids) FROM request
),
missing AS (
    SELECT gold_id, cases
    FROM gold
    WHERE gold_id NOT IN (SELECT id FROM known WHERE id IS NOT NULL)
      AND EXISTS (SELECT 1 FROM known WHERE id IS NOT NULL)
),
key AS ( -- of every known id, its looser spellings
    SELECT
        id,
        nfc_normalize(id) AS composed,
        lower(normalise_text(id)) AS folded,
        regexp_extract(normalise_text(id), '^\+?0*([0-9]+)(\.0+)?$', 1) AS digits
    FROM known
    WHERE id IS NOT NULL
      AND EXISTS (SELECT 1 FROM missing)
),
composed AS (SELECT composed, min(id) AS id FROM key GROUP BY composed),
folded AS (SELECT folded, min(id) AS id FROM key GROUP BY folded),
digits AS (SELECT digits, min(id) AS id FROM key WHERE digits <> '' GROUP BY digits),
document AS (SELECT doc_id, min(chunk_id) AS id FROM corpus_chunk WHERE doc_id IS NOT NULL GROUP BY doc_id)
SELECT
    missing.gold_id,
    CASE
        WHEN document.id IS NOT NULL THEN 'document_id'
        WHEN composed.id IS NOT NULL THEN 'unicode'
        WHEN folded.id IS NOT NULL THEN 'case_or_space'
        WHEN digits.id IS NOT NULL THEN 'number_form'
        ELSE 'unknown'
    END AS kind,
    coalesce(document.id, composed.id, folded.id, digits.id) AS known_id,
    missing.cases
FROM missing
LEFT JOIN document ON document.doc_id = missing.gold_id
LEFT JOIN composed ON composed.composed = nfc_normalize(missing.gold_id)
LEFT JOIN folded ON folded.folded = lower(normalise_text(missing.gold_id))
LEFT JOIN digits ON digits.digits = regexp_extract(normalise_text(missing.gold_id), '^\+?0*([0-9]+)(\.0+)?$', 1)
ORDER BY kind, missing.gold_id;
