"""Put snapshots of a corpus into a database, by the code that loads them."""

import json
import tempfile
from pathlib import Path

from otel_ragfault.corpus import load_corpus


def put_snapshot(con, snapshot_id, chunks, **options):
    """Load chunks, given as the objects of a corpus file, as a snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chunks.jsonl"
        path.write_text("\n".join(json.dumps(chunk) for chunk in chunks), encoding="utf-8")
        return load_corpus(con, path, snapshot_id=snapshot_id, allow_empty=True, **options)
