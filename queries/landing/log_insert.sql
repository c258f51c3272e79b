-- Store the log records of a load.
-- Grain: one row of log_record a row of the view landing_log, which has its columns.
INSERT INTO log_record BY NAME
FROM landing_log;
