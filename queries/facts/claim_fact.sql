-- What is known of the claims of an answer: whether the shown chunks say each, and whether it leads to one that does.
-- Grain: one row a request of which claims were cut or judged (request_id).
-- The relation `judged` holds the verdicts that apply; what counts of them is told in `newest_verdict`. Verdicts on a claim
-- that the answer does not make any more are left out. An answer that marks no claim cites for all of its claims at once.
-- Citations are wanted where the answer cites anything, or the policy says so. Without marks where some are wanted, a claim
-- counts as uncited when it is known to be said by the shown chunks; when the policy wants citations, always.
-- A claim that cites nothing but chunks that were not shown ([9] of five) cites wrongly, and is not without a citation.
-- `unsupported`, `uncited`, `miscited` are the claims; NULL is none. `undecided`, `unchecked`: a judge was asked about a
-- claim, or a citation, and could not tell. `said`: -1 not told, 0 no, 1 yes.
WITH policy AS (
    SELECT
        coalesce(max(human_trust), 1) AS human,
        coalesce(max(rule_trust), 2) AS rule,
        coalesce(max(code_trust), 3) AS code,
        coalesce(max(model_trust), 4) AS model,
        max(CASE WHEN citations_required THEN 1 ELSE 0 END) = 1 AS citations_required
    FROM judging_policy
),
newest AS (
    SELECT
        request_id,
        subject,
        target,
        coalesce(claim_id, '') AS claim_id,
        source,
        judge,
        repeat_no,
        arg_max(CASE WHEN value THEN 1 WHEN NOT value THEN 0 ELSE -1 END, judged_at) AS said,
        arg_max(claim, judged_at) AS claim,
        arg_max(coalesce(extractor_version, ''), judged_at) <> '' AS cut
    FROM judged
    WHERE subject IN ('claim_support', 'citation') AND target IS NOT NULL
    GROUP BY request_id, subject, target, coalesce(claim_id, ''), source, judge, repeat_no
),
by_judge AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        source,
        judge,
        max(claim) AS claim,
        max(CASE WHEN cut THEN 1 ELSE 0 END) AS cut,
        CASE
            WHEN count(*) FILTER (said = 1) > count(*) FILTER (said = 0) THEN 1
            WHEN count(*) FILTER (said = 0) > count(*) FILTER (said = 1) THEN 0
            ELSE -1
        END AS said
    FROM newest
    GROUP BY request_id, subject, target, claim_id, source, judge
),
by_source AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        source,
        max(claim) AS claim,
        max(cut) AS cut,
        CASE
            WHEN count(*) FILTER (said = 1) > count(*) FILTER (said = 0) THEN 1
            WHEN count(*) FILTER (said = 0) > count(*) FILTER (said = 1) THEN 0
            ELSE -1
        END AS said
    FROM by_judge
    GROUP BY request_id, subject, target, claim_id, source
),
trusted AS (
    SELECT
        by_source.request_id,
        by_source.subject,
        by_source.target,
        CASE WHEN by_source.subject = 'citation' THEN by_source.claim_id ELSE by_source.target END AS claim_id,
        coalesce(
            arg_min(
                by_source.said,
                CASE by_source.source
                    WHEN 'human' THEN policy.human
                    WHEN 'rule' THEN policy.rule
                    WHEN 'code' THEN policy.code
                    ELSE policy.model
                END
            ) FILTER (by_source.said >= 0),
            -1
        ) AS said,
        max(CASE WHEN by_source.source <> 'rule' THEN 1 ELSE 0 END) = 1 AS asked,
        max(CASE WHEN by_source.source = 'human' AND by_source.said = 0 AND policy.human = 1 THEN 1 ELSE 0 END) = 1
            AS denied_by_people,
        max(by_source.claim) AS claim,
        max(by_source.cut) AS cut
    FROM by_source
    CROSS JOIN policy
    GROUP BY by_source.request_id, by_source.subject, by_source.target, by_source.claim_id
),
last_cut AS (
    SELECT request_id, max(extracted_at) AS extracted_at FROM answer_claim GROUP BY request_id
),
claim AS (
    SELECT
        answer_claim.request_id,
        answer_claim.claim_id,
        answer_claim.text,
        answer_claim.needs_support,
        answer_claim.cited_ids,
        len(answer_claim.cited_ids) = 0 AND coalesce(len(answer_claim.astray), 0) > 0 AS astray,
        list_distinct(subject.cited_ids) AS answer_cites
    FROM answer_claim
    JOIN last_cut
        ON last_cut.request_id = answer_claim.request_id AND last_cut.extracted_at = answer_claim.extracted_at
    JOIN subject ON subject.request_id = answer_claim.request_id AND md5(subject.answer) = answer_claim.answer_digest
),
answer AS (
    SELECT
        request_id,
        max(CASE WHEN astray OR len(cited_ids) > 0 THEN 1 ELSE 0 END) = 1 AS marks,
        coalesce(max(len(answer_cites)), 0) > 0 AS cites,
        count(*) FILTER (needs_support) AS claims
    FROM claim
    GROUP BY request_id
),
judgement AS (
    SELECT trusted.*, claim.needs_support AS ours
    FROM trusted
    LEFT JOIN claim ON claim.request_id = trusted.request_id AND claim.claim_id = trusted.claim_id
    WHERE (claim.claim_id IS NULL AND trusted.cut = 0) OR coalesce(trusted.claim, claim.text) = claim.text
),
support AS (
    SELECT
        request_id,
        max(CASE WHEN denied_by_people THEN 1 ELSE 0 END) = 1 AS denied_by_people,
        count(*) FILTER (said = 1 AND ours) AS supported,
        list(claim_id) FILTER (said = 0) AS unsupported,
        count(*) FILTER (said = -1 AND asked) > 0 AS undecided
    FROM judgement
    WHERE subject = 'claim_support'
    GROUP BY request_id
),
citing AS (
    SELECT
        claim.request_id,
        claim.claim_id,
        claim.needs_support,
        claim.astray,
        CASE
            WHEN answer.marks THEN list_distinct(claim.cited_ids)
            ELSE coalesce(claim.answer_cites, CAST([] AS VARCHAR[]))
        END AS ids,
        answer.marks OR answer.cites AS cites
    FROM claim
    JOIN answer ON answer.request_id = claim.request_id
),
citation AS (
    SELECT
        judgement.request_id,
        judgement.claim_id,
        coalesce(len(any_value(citing.ids)), count(*)) AS citations,
        count(*) FILTER (judgement.said = 1) AS held,
        count(*) FILTER (judgement.said = 0) AS wrong,
        count(*) FILTER (judgement.said = -1 AND judgement.asked) AS open
    FROM judgement
    LEFT JOIN citing ON citing.request_id = judgement.request_id AND citing.claim_id = judgement.claim_id
    WHERE judgement.subject = 'citation'
      AND (citing.claim_id IS NULL OR list_contains(citing.ids, judgement.target))
    GROUP BY judgement.request_id, judgement.claim_id
    UNION ALL
    SELECT request_id, claim_id, 1, 0, 1, 0
    FROM citing
    WHERE needs_support AND astray
),
cited AS (
    SELECT
        request_id,
        list(claim_id) FILTER (held = 0 AND wrong > 0 AND wrong >= citations) AS miscited,
        count(*) FILTER (held = 0 AND open > 0 AND wrong + open >= citations) > 0 AS unchecked
    FROM citation
    GROUP BY request_id
),
bare AS (
    SELECT citing.request_id, list(citing.claim_id) AS uncited
    FROM citing
    CROSS JOIN policy
    LEFT JOIN judgement
        ON judgement.request_id = citing.request_id
        AND judgement.claim_id = citing.claim_id
        AND judgement.subject = 'claim_support'
    WHERE citing.needs_support
      AND len(citing.ids) = 0
      AND NOT citing.astray
      AND (policy.citations_required OR (citing.cites AND judgement.said = 1))
    GROUP BY citing.request_id
),
known AS (
    SELECT request_id FROM support
    UNION
    SELECT request_id FROM cited
    UNION
    SELECT request_id FROM bare
)
SELECT
    known.request_id,
    coalesce(support.denied_by_people, FALSE) AS denied_by_people,
    CASE
        WHEN len(support.unsupported) > 0 THEN FALSE
        WHEN answer.claims > 0 AND support.supported >= answer.claims THEN TRUE
    END AS grounded,
    support.unsupported,
    coalesce(support.undecided, FALSE) AS undecided,
    bare.uncited,
    cited.miscited,
    coalesce(cited.unchecked, FALSE) AS unchecked
FROM known
LEFT JOIN support ON support.request_id = known.request_id
LEFT JOIN answer ON answer.request_id = known.request_id
LEFT JOIN cited ON cited.request_id = known.request_id
LEFT JOIN bare ON bare.request_id = known.request_id
