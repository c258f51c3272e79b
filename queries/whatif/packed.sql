-- What would have reached the prompt under the setting that is tried.
-- Grain: one row a joined request (request_id), temporary. `hypothetical_id` is its identity under this setting.
-- Parameters: $setting_no, which setting it is.
-- Under the recorded setting the prompt is the recorded one. Another setting is packed by our rules only where they make the
-- recorded prompt out of the recorded setting (the relation remade); the relation made holds the prompts of the new setting.
-- `prompt_ids` is NULL where it cannot be told, and `not_known` says why. `same_prompt`: nothing changed for the generator.
CREATE OR REPLACE TEMP TABLE packed AS
WITH told AS (
    SELECT
        asked.*,
        recorded.prompt_ids AS recorded_prompt,
        made.prompt_ids AS new_prompt,
        CASE
            WHEN recorded.prompt_ids IS NULL AND recorded.attributes_were_dropped
            THEN 'the prompt is not recorded, and attributes of a span were dropped'
            WHEN recorded.prompt_ids IS NULL THEN 'the prompt is not recorded'
            WHEN asked.as_recorded THEN NULL
            WHEN asked.unreadable IS NOT NULL THEN asked.unreadable
            WHEN asked.ids IS NULL AND recorded.attributes_were_dropped
            THEN 'no ranking is recorded, and attributes of a span were dropped'
            WHEN asked.ids IS NULL OR recorded.ranked_ids IS NULL THEN 'no ranking is recorded'
            WHEN coalesce(asked.k, -1) < 0 OR recorded.k < 0 THEN 'k is not recorded'
            WHEN asked.beyond THEN 'k is beyond what was recorded of the ranking'
            WHEN remade.prompt_ids IS NULL OR made.prompt_ids IS NULL
            THEN CASE
                WHEN asked.packing = 'score_density'
                    AND coalesce(asked.score_kind NOT IN ('bm25', 'similarity') OR list_count(asked.scores) < len(asked.ids), TRUE)
                THEN 'score_density needs the score of every ranked chunk, of a kind where more is better'
                WHEN 'tokens' IN (asked.unit, recorded.unit)
                THEN 'the size of a chunk is not known: load the corpus with its texts, and name the tokenizer of the budget'
                ELSE 'the size of a chunk is not known: load the corpus with its texts, and count the budget in words or characters'
            END
            WHEN told_rule.packing IS NOT NULL
            THEN 'the recorded prompt was packed by another rule: packing ' || told_rule.packing || ' with ordering '
                || told_rule.ordering || ' makes it; if that is the rule of the pipeline, say so in the configuration'
            WHEN remade.prompt_ids <> recorded.prompt_ids THEN 'the recorded prompt was packed by another rule'
        END AS not_known
    FROM asked
    JOIN recorded ON recorded.request_id = asked.request_id
    LEFT JOIN remade ON remade.request_id = asked.request_id
    LEFT JOIN told_rule ON told_rule.request_id = asked.request_id
    LEFT JOIN made ON made.request_id = asked.request_id
)
SELECT
    CAST($setting_no AS BIGINT) AS setting_no,
    CAST(md5(CAST($setting_no AS VARCHAR) || CAST(request_id AS VARCHAR)) AS UUID) AS hypothetical_id,
    told.* EXCLUDE (recorded_prompt, new_prompt, unreadable),
    CASE WHEN as_recorded THEN recorded_prompt WHEN not_known IS NULL THEN new_prompt END AS prompt_ids,
    as_recorded OR (not_known IS NULL AND new_prompt = recorded_prompt) AS same_prompt
FROM told
