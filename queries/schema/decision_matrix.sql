-- The decision matrix: what was observed of a request, and the one experiment that comes next.
-- Grain: one row a cell (coverage, support, correctness, citation), every combination once.
-- coverage: complete (all required evidence was in the prompt), cut (it was retrieved and did not reach the prompt),
-- incomplete (it was not retrieved), nothing required, failed (a stage ended in an error), not known.
-- support, by the chunks that were shown: supported, unsupported, not known. correctness: correct, wrong, refused, not known.
-- citation, of the evidence: cited, uncited, not known. `edge` is the hand-off that the experiment tests.
-- The lines are asked from the top; an empty word stands for any value.
CREATE OR REPLACE VIEW decision_matrix AS
WITH line(place, coverage, support, correctness, citation, edge, observation, next_experiment) AS (
    VALUES
    (1, 'failed', '', '', '', NULL,
        'a stage ended in an error',
        'Repair the error, and run the case again as it is.'),
    (2, 'nothing required', '', 'correct', '', NULL,
        'the system declined, or asked back, as it should',
        'None: keep the case against regressions.'),
    (3, 'nothing required', '', 'not known', '', 'decision',
        'it is not known what the system did',
        'Have the answer judged: is it a refusal, or a question back?'),
    (4, 'nothing required', '', '', '', 'decision',
        'the system answered what it should not',
        'Withhold all support: show near misses only, change the instructions to abstain, and count the answers.'),
    (5, 'not known', '', '', '', NULL,
        'the record does not tell whether the evidence was shown',
        'Complete the record: ragfault doctor tells how; then label again.'),
    (6, '', '', 'not known', '', NULL,
        'nobody judged the answer',
        'Have the answer judged; nothing is to be changed before.'),
    (7, 'incomplete', 'supported', 'correct', '', 'gold',
        'right and supported without the required evidence',
        'Review gold: add the chunk that supports the answer as an alternative, and label again.'),
    (8, 'cut', 'supported', 'correct', '', 'gold',
        'right and supported without the required evidence',
        'Review gold: add the chunk that supports the answer as an alternative, and label again.'),
    (9, 'incomplete', '', 'correct', '', 'generation',
        'right without the required evidence',
        'Ask again with an empty context: an answer that stays comes from memory, and will not follow the corpus.'),
    (10, 'cut', '', 'correct', '', 'generation',
        'right without the required evidence',
        'Ask again with an empty context: an answer that stays comes from memory, and will not follow the corpus.'),
    (11, 'incomplete', '', '', '', 'retrieval',
        'the required evidence was not retrieved',
        'Put the required evidence in the place of what was retrieved; if that helps, change corpus, query or ranking.'),
    (12, 'cut', '', '', '', 'assembly',
        'the required evidence was retrieved and not shown',
        'Change the budget or the packing rule alone, so that the evidence is shown, and ask again.'),
    (13, 'complete', '', 'refused', '', 'decision',
        'all evidence was shown, and the system declined',
        'Show the required evidence alone: an answer points at distractors and order, a refusal at the instructions.'),
    (14, 'complete', 'supported', 'wrong', '', 'source set',
        'the shown chunks say what is wrong',
        'Take the chunk that says it out of the prompt, and ask again; review its identity, version and currency.'),
    (15, 'complete', '', 'wrong', '', 'generation',
        'all evidence was shown, and the answer does not follow it',
        'Show the required evidence alone: recovery points at distractors and order, failure at instructions or model.'),
    (16, 'complete', 'unsupported', 'correct', '', 'generation',
        'right, and not all of it is said by what was shown',
        'Remove the required evidence, and ask again: what stays is memory; then change the instructions alone.'),
    (17, 'complete', '', 'correct', 'uncited', 'citation',
        'right, and a reader cannot follow it to its evidence',
        'Hold the text of the answer fixed, and evaluate its citations alone; change the mapping, not retrieval.'),
    (18, 'complete', 'not known', 'correct', '', 'generation',
        'right; nobody judged whether the shown chunks say it',
        'Have its claims judged for support; nothing is to be changed before.'),
    (19, 'complete', 'supported', 'correct', '', NULL,
        'right and supported',
        'None: keep the case against regressions.')
),
cell AS (
    SELECT *
    FROM (VALUES ('complete'), ('cut'), ('incomplete'), ('nothing required'), ('failed'), ('not known')) AS a(coverage)
    CROSS JOIN (VALUES ('supported'), ('unsupported'), ('not known')) AS b(support)
    CROSS JOIN (VALUES ('correct'), ('wrong'), ('refused'), ('not known')) AS c(correctness)
    CROSS JOIN (VALUES ('cited'), ('uncited'), ('not known')) AS d(citation)
)
SELECT
    cell.coverage,
    cell.support,
    cell.correctness,
    cell.citation,
    line.edge,
    line.observation,
    line.next_experiment
FROM cell
JOIN line
    ON line.coverage IN ('', cell.coverage)
    AND line.support IN ('', cell.support)
    AND line.correctness IN ('', cell.correctness)
    AND line.citation IN ('', cell.citation)
QUALIFY row_number() OVER (
    PARTITION BY cell.coverage, cell.support, cell.correctness, cell.citation ORDER BY line.place
) = 1;
