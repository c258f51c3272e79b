-- Take away what stage.sql made of the spans that a convention has read.
-- Grain: removes a row of stage a row of the view read_stage. What stands there instead has no row number.
DELETE FROM stage
USING read_stage
WHERE stage.row = read_stage.row
