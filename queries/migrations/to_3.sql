-- Schema version 2 to 3: evaluation results that another database of ours sent, and what a file brings again that was
-- set aside, and citations of claims that lead nowhere.
-- Grain: none; tables are changed in place. Tables that are new are created afterwards, from queries/schema.
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS event_id VARCHAR;
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS subject VARCHAR;
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS source VARCHAR;
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS target VARCHAR;
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS claim_id VARCHAR;
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS claim VARCHAR;
ALTER TABLE IF EXISTS evaluation ADD COLUMN IF NOT EXISTS repeat_no UINTEGER;
ALTER TABLE IF EXISTS rejected_span ADD COLUMN IF NOT EXISTS content_id UUID;
ALTER TABLE IF EXISTS answer_claim ADD COLUMN IF NOT EXISTS astray VARCHAR[];
