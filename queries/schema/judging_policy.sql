-- Whom to believe, as the configuration says: read by the views over verdicts and by the labelling.
-- Grain: at most one row. Without it: human, rule, code, model; at least 0.8 of a judge's verdicts agree with people.
CREATE TABLE judging_policy (
    human_trust UTINYINT NOT NULL,       -- place of people in the order of trust; 1 is believed first
    rule_trust UTINYINT NOT NULL,        -- place of our own rules
    code_trust UTINYINT NOT NULL,        -- place of somebody else's checks
    model_trust UTINYINT NOT NULL,       -- place of models
    agreement_floor DOUBLE NOT NULL,     -- share of equal verdicts with people below which a judge is flagged
    kappa_floor DOUBLE,                  -- Cohen's kappa below which a judge is flagged; NULL: not looked at
    citations_required BOOLEAN           -- whether every claim needs a citation; NULL or FALSE: those of answers that cite anything
);
