-- What is different between two snapshots.
-- Grain: one row a chunk that is in one of them only, or differs: chunk_id, what (added, removed or changed), fields (of a
-- changed one: document, text, version, window, permissions). Where only one side has a text or its hash, it does not count.
-- Parameters: $old and $new, the snapshots.
WITH old AS (FROM corpus_chunk WHERE snapshot_id = $old),
new AS (FROM corpus_chunk WHERE snapshot_id = $new),
compared AS (
    SELECT
        coalesce(new.chunk_id, old.chunk_id) AS chunk_id,
        CASE WHEN old.chunk_id IS NULL THEN 'added' WHEN new.chunk_id IS NULL THEN 'removed' ELSE 'changed' END AS what,
        list_filter([
            CASE WHEN new.doc_id IS DISTINCT FROM old.doc_id THEN 'document' END,
            CASE WHEN new.text_hash <> old.text_hash THEN 'text' END,
            CASE WHEN new.version IS DISTINCT FROM old.version THEN 'version' END,
            CASE WHEN new.valid_from IS DISTINCT FROM old.valid_from OR new.valid_to IS DISTINCT FROM old.valid_to
                THEN 'window' END,
            CASE WHEN list_sort(new.permitted) IS DISTINCT FROM list_sort(old.permitted) THEN 'permissions' END
        ], lambda field: field IS NOT NULL) AS fields
    FROM old
    FULL JOIN new ON new.chunk_id = old.chunk_id
)
SELECT chunk_id, what, CASE WHEN what = 'changed' THEN fields ELSE [] END AS fields
FROM compared
WHERE what <> 'changed' OR len(fields) > 0
ORDER BY chunk_id
