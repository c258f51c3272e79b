-- The cell of the decision matrix in which a label puts a request; what each word means is told by decision_matrix.
-- Grain: none, macros over the columns of a label and what gold expects.

-- Whether the required evidence was shown. The walk stops at the verdict only when all of it was. A superseded version that
-- gave the answer was shown beside it.
CREATE OR REPLACE MACRO coverage_of(label, boundary, retrieved, expect) AS
    CASE
        WHEN starts_with(label, 'error.') THEN 'failed'
        WHEN expect <> 'answer' THEN 'nothing required'
        WHEN label = 'source.stale' AND retrieved THEN 'complete'
        WHEN boundary IN ('source set', 'retrieval') THEN 'incomplete'
        WHEN boundary = 'assembly' THEN 'cut'
        WHEN label IN ('unknown.answer', 'unknown.verdict', 'unknown.claims') THEN 'complete'
        WHEN starts_with(label, 'unknown.') THEN 'not known'
        ELSE 'complete'
    END;

CREATE OR REPLACE MACRO support_of(grounded) AS
    CASE WHEN grounded THEN 'supported' WHEN NOT grounded THEN 'unsupported' ELSE 'not known' END;

CREATE OR REPLACE MACRO correctness_of(outcome) AS CASE WHEN outcome = 'unjudged' THEN 'not known' ELSE outcome END;

CREATE OR REPLACE MACRO citation_of(boundary, cited) AS
    CASE WHEN boundary = 'citation' OR NOT cited THEN 'uncited' WHEN cited THEN 'cited' ELSE 'not known' END;
