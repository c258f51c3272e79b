"""Files of OTLP requests into the spool: compressed, rotated, growing, and Parquet of ``ragfault export``."""
