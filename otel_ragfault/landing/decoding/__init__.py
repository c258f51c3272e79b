"""From OTLP in its forms, and from spans of the SDK, to rows: lossless, repaired where needed, scrubbed."""
