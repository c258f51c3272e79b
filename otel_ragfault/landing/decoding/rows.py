"""Tables of rows as bytes: the payload of a record in the spool."""

import pyarrow as pa


def write_rows(table: pa.Table) -> bytes:
    """Write a table as an Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def read_rows(content: memoryview, schema: pa.Schema) -> pa.Table:
    """Read a table that :func:`write_rows` wrote.

    Raises:
        ValueError: it has other columns than ``schema``.
        pyarrow.ArrowException: it is no such stream, or damaged.
    """
    with pa.ipc.open_stream(pa.py_buffer(content)) as stream:
        table = stream.read_all()
    table.validate(full=True)
    if table.schema.names != schema.names:
        raise ValueError("rows with other columns than this release knows")
    return table if table.schema.equals(schema) else table.cast(schema)
