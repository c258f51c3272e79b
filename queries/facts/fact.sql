-- The facts that the rules are made of. Each is TRUE, FALSE or NULL = not known; FALSE where it does not apply.
-- Grain: as in `placed`.
-- Parameters: $floor, the calibrated similarity floor; NULL without one.
SELECT
    seen.*,
    expect = 'refuse' AS unanswerable,
    expect = 'clarify' AS ambiguous,
    NOT correct AS wrong,

    -- A member in the prompt clears a group of every rule about its way there; an unknown prompt clears nothing.
    group_no > 0 AND prompt_rank IS NULL AS out_of_prompt,
    CASE
        WHEN prompt_rank IS NOT NULL THEN FALSE
        WHEN NOT prompt_recorded OR prompt_has_gaps THEN NULL
        ELSE TRUE
    END AS not_in_prompt,

    -- What was ranked is indexed; else the snapshot knows. Evidence named by a quote that was not looked for may be
    -- anywhere, and better placed than its alternatives.
    CASE
        WHEN prompt_rank IS NOT NULL THEN FALSE
        WHEN NOT evidence_known THEN NULL
        WHEN final_rank IS NOT NULL OR candidate_rank IS NOT NULL THEN FALSE
        WHEN hidden THEN NULL
        WHEN corpus_loaded THEN NOT coalesce(any_indexed, FALSE)
    END AS absent_from_index,

    -- Permissions and windows are those of the alternatives that the snapshot holds, every one of them.
    CASE
        WHEN NOT coalesce(restricted, FALSE) THEN FALSE
        WHEN len(permitted) = 0 THEN TRUE
        ELSE NOT list_has_any(permitted, user_groups)
    END AS forbidden,
    CASE
        WHEN NOT coalesce(windowed, FALSE) OR asked_at IS NULL THEN FALSE -- every span has a start
        ELSE len(list_filter(windows, lambda one: is_valid_at(one.starts, one.ends, asked_at))) = 0
    END AS stale,

    -- Scores are those of the first stage. Absent from a complete lexical ranking means a score of 0.
    first_kind = 'bm25' AS lexical,
    first_kind = 'similarity' AS similarity,
    CASE
        WHEN first_rank IS NOT NULL THEN first_score = 0
        WHEN NOT first_recorded OR (CASE WHEN has_rerank THEN candidates_have_gaps ELSE final_has_gaps END) THEN NULL
        ELSE coalesce(ranking_complete AND first_kind = 'bm25', FALSE)
    END AS score_is_zero,
    -- BM25 gives 0 to a chunk that does hold the term when the term is in half of the corpus: only the texts can tell.
    -- They are looked at only where a score of 0 is possible.
    CASE
        WHEN first_kind IN ('similarity', 'distance') OR NOT score_is_zero THEN FALSE
        WHEN searched_text IS NULL OR words IS NULL THEN NULL
        WHEN list_has_any(words_of(searched_text), words) THEN FALSE
        WHEN texts_known AND any_indexed THEN TRUE
    END AS no_shared_term,
    CASE
        WHEN CAST($floor AS DOUBLE) IS NULL THEN FALSE
        WHEN first_rank IS NOT NULL THEN first_score < CAST($floor AS DOUBLE)
        WHEN NOT first_recorded OR (CASE WHEN has_rerank THEN candidates_have_gaps ELSE final_has_gaps END) THEN NULL
        ELSE FALSE
    END AS under_floor,

    CASE
        WHEN final_rank IS NOT NULL OR candidate_rank IS NOT NULL THEN FALSE
        WHEN NOT first_recorded OR NOT final_recorded OR final_has_gaps OR candidates_have_gaps THEN NULL
        ELSE TRUE
    END AS never_ranked,
    CASE
        WHEN NOT has_rerank THEN FALSE
        WHEN NOT first_recorded THEN NULL
        WHEN candidate_rank IS NULL THEN CASE WHEN candidates_have_gaps THEN NULL ELSE FALSE END
        WHEN candidate_rank > k THEN FALSE
        WHEN final_rank IS NOT NULL THEN final_rank > k
        WHEN NOT final_recorded OR final_has_gaps OR k IS NULL THEN NULL
        ELSE TRUE
    END AS demoted,
    -- What reranking dropped from beyond k was beyond k.
    CASE
        WHEN final_rank IS NOT NULL THEN final_rank > k
        WHEN NOT final_recorded OR final_has_gaps THEN NULL
        ELSE candidate_rank > k
    END AS beyond_k,

    -- Of a right answer: what nobody was asked about is no fault, what a judge was asked and could not tell may be one.
    CASE
        WHEN grounded IS NOT NULL THEN NOT grounded
        WHEN undecided THEN NULL
        ELSE FALSE
    END AS unsupported,
    uncited_claims IS NOT NULL AS uncited,
    CASE
        WHEN miscited_claims IS NOT NULL THEN TRUE
        WHEN unchecked THEN NULL
        ELSE FALSE
    END AS miscited,

    -- The answer says what a version says that was not valid any more, or not yet.
    superseded IS NOT NULL AS outdated,

    evidence_known AND (
        NOT first_recorded OR NOT final_recorded
        OR coalesce(final_has_gaps, FALSE) OR coalesce(candidates_have_gaps, FALSE)
    ) AS ranking_is_missing,
    evidence_known AND hidden AS ids_are_foreign,

    -- Not part of the walk: what the four propositions are made of.
    CASE
        WHEN group_no = 0 THEN NULL
        WHEN final_rank <= k THEN TRUE
        WHEN NOT evidence_known THEN NULL
        WHEN final_rank IS NOT NULL THEN final_rank <= k
        WHEN NOT final_recorded OR final_has_gaps THEN NULL
        ELSE FALSE
    END AS group_retrieved,
    CASE
        WHEN group_no > 0 AND citations_recorded AND ((evidence_known AND NOT hidden) OR cited_rank IS NOT NULL)
        THEN cited_rank IS NOT NULL
    END AS group_cited,

    -- What the user got, whatever the label.
    CASE
        WHEN failed_stage <> '' THEN NULL
        WHEN expect = 'refuse' THEN refused
        WHEN expect = 'clarify' THEN clarified
        ELSE correct
    END AS judged_right,
    CASE
        WHEN failed_stage <> '' THEN 'wrong'
        WHEN expect = 'refuse' AND refused THEN 'correct'
        WHEN expect = 'clarify' AND clarified THEN 'correct'
        WHEN refused THEN 'refused'
        WHEN expect = 'refuse' AND NOT refused THEN 'wrong'
        WHEN expect = 'clarify' AND NOT clarified THEN 'wrong'
        WHEN expect = 'answer' AND correct THEN 'correct'
        WHEN expect = 'answer' AND NOT correct THEN 'wrong'
        ELSE 'unjudged'
    END AS outcome
FROM seen
