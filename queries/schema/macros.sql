-- Small functions that people and the other queries share.
-- Grain: none. Each is pure; NULL in gives NULL out.

-- Hex text of a trace id or a span id, as every other tool prints it.
CREATE OR REPLACE MACRO trace_hex(id) AS replace(CAST(id AS VARCHAR), '-', '');
CREATE OR REPLACE MACRO span_hex(id) AS format('{:016x}', id);

-- A question as a join key: NFC, every run of white space (of Unicode, not of ASCII only) one blank, trimmed.
CREATE OR REPLACE MACRO normalise_text(t) AS
    trim(regexp_replace(nfc_normalize(t), '[\s\p{Z}\x{85}]+', ' ', 'g'));

-- The words of a text, lower case, letters and digits of any script.
CREATE OR REPLACE MACRO words_of(t) AS regexp_extract_all(lower(nfc_normalize(t)), '[\p{L}\p{M}\p{N}]+');
