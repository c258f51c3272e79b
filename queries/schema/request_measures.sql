-- Measures of one ranking against the judgments of its case, with the semantics of trec_eval.
-- Grain: one row a labelled request whose case has judgments, and a cutoff (request_id, k); k NULL is the whole ranking.
-- Parameters (by name): ks, the cutoffs; gain, linear or exponential; discount, log2, jarvelin or reciprocal; unjudged,
-- nonrelevant or leave_out; hit_order, recorded or trec; repeats, drop or keep; relevant_from, the lowest relevant grade.
-- The header of queries/metrics/request_measures.sql says what each choice means, and gives every formula.
CREATE OR REPLACE MACRO request_measures(
    ks := [1, 3, 5, 10],
    gain := 'linear',
    discount := 'log2',
    unjudged := 'nonrelevant',
    hit_order := 'recorded',
    repeats := 'drop',
    relevant_from := 1
) AS TABLE
WITH cutoff AS (
    SELECT CASE WHEN one >= 1 OR one IS NULL THEN one ELSE error('k: found ' || one || ', wanted 1 or more') END AS k
    FROM (SELECT unnest(list_append(list_distinct(ks), NULL)) AS one)
),
graded AS ( -- ideal_rank: the place in the best ranking that there could be
    SELECT
        snapshot_id,
        case_id,
        chunk_id,
        grade >= relevant_from AS relevant,
        CASE gain
            WHEN 'linear' THEN grade
            WHEN 'exponential' THEN pow(2, grade) - 1
            ELSE error('gain: found ' || gain || ', wanted linear or exponential')
        END AS worth,
        row_number() OVER (PARTITION BY snapshot_id, case_id ORDER BY grade DESC) AS ideal_rank
    FROM judgment
),
recorded AS ( -- one_order: the ids, best first; NULL where the order that is asked for is not known
    SELECT
        labelled_snapshot.request_id,
        labelled_snapshot.case_id,
        labelled_snapshot.snapshot_id,
        CASE WHEN request.ranking_complete THEN NULL ELSE len(request.ranked_ids) END AS known_depth,
        CASE hit_order
            WHEN 'recorded' THEN request.ranked_ids
            WHEN 'trec' THEN CASE
                WHEN len(list_filter(request.ranked_scores, lambda score: NOT isnan(score))) = len(request.ranked_ids)
                THEN list_transform(
                    list_sort(
                        list_transform(request.ranked_ids, lambda id, place: struct_pack(
                            score := CAST(least(greatest(
                                CASE WHEN request.score_kind = 'distance' THEN -1 ELSE 1 END
                                * request.ranked_scores[place], -3.4e38), 3.4e38) AS FLOAT),
                            id := id
                        )),
                        'DESC'
                    ),
                    lambda hit: hit.id
                )
            END
            ELSE error('hit_order: found ' || hit_order || ', wanted recorded or trec')
        END AS one_order
    FROM labelled_snapshot
    JOIN request USING (request_id)
),
listed AS (
    SELECT
        request_id,
        case_id,
        snapshot_id,
        known_depth,
        CASE
            WHEN list_count(one_order) < len(one_order) THEN NULL -- a hit without an id: who knows which chunk it is
            WHEN repeats = 'keep' OR list_unique(one_order) = len(one_order) THEN one_order
            WHEN repeats = 'drop'
            THEN list_filter(one_order, lambda id, place: array_position(one_order, id) = place)
            ELSE error('repeats: found ' || repeats || ', wanted drop or keep')
        END AS ids
    FROM recorded
),
placed AS ( -- a row a judged chunk, in the ranking or not
    SELECT
        listed.request_id,
        graded.relevant,
        graded.worth,
        graded.ideal_rank,
        nullif(array_position(listed.ids, graded.chunk_id), 0) AS place
    FROM listed
    JOIN graded USING (snapshot_id, case_id)
),
counted AS ( -- nth: of the judged chunks in the ranking; nth_relevant: of the relevant ones
    SELECT
        *,
        row_number() OVER (PARTITION BY request_id ORDER BY place NULLS LAST) AS nth,
        count(*) FILTER (relevant) OVER (PARTITION BY request_id ORDER BY place NULLS LAST) AS nth_relevant
    FROM placed
),
ranked AS (
    SELECT
        * EXCLUDE (nth),
        CASE unjudged
            WHEN 'nonrelevant' THEN place
            WHEN 'leave_out' THEN CASE WHEN place IS NOT NULL THEN nth END
            ELSE error('unjudged: found ' || unjudged || ', wanted nonrelevant or leave_out')
        END AS rank
    FROM counted
),
discounted AS (
    SELECT
        *,
        CASE discount
            WHEN 'log2' THEN worth / log2(1 + rank)
            WHEN 'jarvelin' THEN worth / greatest(log2(rank), 1)
            WHEN 'reciprocal' THEN worth / rank
            ELSE error('discount: found ' || discount || ', wanted log2, jarvelin or reciprocal')
        END AS gained,
        CASE discount
            WHEN 'log2' THEN worth / log2(1 + ideal_rank)
            WHEN 'jarvelin' THEN worth / greatest(log2(ideal_rank), 1)
            ELSE worth / ideal_rank
        END AS gainable
    FROM ranked
),
summed AS (
    SELECT
        discounted.request_id,
        cutoff.k,
        count(*) FILTER (relevant) AS relevant,
        count(*) FILTER (relevant AND rank <= coalesce(cutoff.k, rank)) AS found,
        count(*) FILTER (place <= coalesce(cutoff.k, place)) AS judged,
        min(rank) FILTER (relevant AND rank <= coalesce(cutoff.k, rank)) AS first_rank,
        coalesce(fsum(nth_relevant / rank) FILTER (relevant AND rank <= coalesce(cutoff.k, rank)), 0) AS precisions,
        coalesce(fsum(gained) FILTER (rank <= coalesce(cutoff.k, rank)), 0) AS dcg,
        fsum(gainable) FILTER (ideal_rank <= coalesce(cutoff.k, ideal_rank)) AS ideal_dcg
    FROM discounted
    CROSS JOIN cutoff
    GROUP BY discounted.request_id, cutoff.k
),
evidence AS (
    SELECT
        evidence_rank.request_id,
        cutoff.k,
        count(*) FILTER (evidence_rank.rank <= coalesce(cutoff.k, evidence_rank.rank)) / count(*) AS share
    FROM evidence_rank
    CROSS JOIN cutoff
    GROUP BY evidence_rank.request_id, cutoff.k
    HAVING bool_and(evidence_rank.ranked)
)
SELECT
    listed.request_id,
    listed.case_id,
    summed.k,
    listed.ids IS NOT NULL AS ranking_known,
    CASE WHEN ranking_known THEN summed.found / coalesce(summed.k, nullif(CASE unjudged
        WHEN 'leave_out' THEN summed.judged ELSE len(listed.ids)
    END, 0)) END AS "precision",
    CASE WHEN ranking_known THEN summed.found / nullif(summed.relevant, 0) END AS recall_judged,
    evidence.share AS recall_groups,
    CASE WHEN ranking_known THEN CAST(summed.found > 0 AS DOUBLE) END AS hit,
    CASE WHEN ranking_known THEN coalesce(1 / summed.first_rank, 0) END AS reciprocal_rank,
    CASE WHEN ranking_known THEN summed.precisions / nullif(summed.relevant, 0) END AS average_precision,
    CASE WHEN ranking_known THEN summed.precisions / nullif(summed.found, 0) END AS context_precision,
    CASE WHEN ranking_known AND isfinite(summed.ideal_dcg) THEN summed.dcg / nullif(summed.ideal_dcg, 0) END AS ndcg,
    summed.judged / nullif(
        list_unique(CASE WHEN summed.k < len(listed.ids) THEN listed.ids[:summed.k] ELSE listed.ids END), 0
    ) AS judged_share,
    summed.relevant,
    CASE WHEN ranking_known THEN listed.known_depth END AS known_depth
FROM listed
JOIN summed USING (request_id)
LEFT JOIN evidence ON evidence.request_id = summed.request_id AND evidence.k IS NOT DISTINCT FROM summed.k;
