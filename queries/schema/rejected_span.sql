-- What reached the spool and could not be stored, counted; nothing disappears without a line here.
-- Grain: one row a segment and reason, for each part of a file where a file brought it, and one a torn or undecodable
-- piece of it.
CREATE TABLE rejected_span (
    segment_id UUID NOT NULL,            -- the segment that brought it
    reason VARCHAR NOT NULL,             -- why: an identity of zeros, torn by a crash, not decodable …
    spans UBIGINT NOT NULL,              -- spans or log records, as far as they can be counted; 0 for a torn tail
    bytes UBIGINT,                       -- size of a piece that was kept aside; NULL where only the span was left out
    kept_in VARCHAR,                     -- where the piece is, below the folder of the spool; NULL if it was not kept
    landed_at TIMESTAMP NOT NULL,        -- when it was counted, UTC
    content_id UUID                      -- digest of the part of a file that it is of, which is counted once however often it is read; NULL where it was sent
);
