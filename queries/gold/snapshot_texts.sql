-- The chunks of a snapshot among which quotes are looked for, in the order of their documents.
-- Grain: one row a chunk (chunk_id). Columns: chunk_id, doc_id, text.
-- Parameters: $snapshot_id, the snapshot; $documents, the documents that the quotes name, NULL: all. Chunks whose document
-- is not known may be of any.
SELECT chunk_id, doc_id, text
FROM corpus_chunk
WHERE snapshot_id = $snapshot_id
  AND (
      CAST($documents AS VARCHAR[]) IS NULL
      OR doc_id IS NULL
      OR doc_id IN (SELECT unnest(CAST($documents AS VARCHAR[])))
  )
ORDER BY doc_id NULLS LAST, position NULLS LAST
