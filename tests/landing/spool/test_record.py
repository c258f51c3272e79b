import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.landing.spool.record import HEAD_BYTES, MAX_PAYLOAD, Damage, RecordKind, SpoolRecord, frame, scan


def framed(*payloads):
    return b"".join(frame(RecordKind.SPAN_ROWS, payload, 3) + payload for payload in payloads)


def shapes(content):
    return [
        bytes(part.payload) if isinstance(part, SpoolRecord) else (part.offset, part.length, part.reason.split(":")[0])
        for part in scan(memoryview(content), 0)
    ]


def test_records_come_back_as_they_went():
    content = framed(b"one", b"", b"three")
    assert shapes(content) == [b"one", b"", b"three"]
    first = next(iter(scan(memoryview(content), 0)))
    assert (first.kind, first.spans, first.offset) == (RecordKind.SPAN_ROWS, 3, 0)


@given(cut=st.integers(0, len(framed(b"one", b"two"))))
def test_tail_that_is_cut_anywhere_costs_one_record_at_most(cut):
    content = framed(b"one", b"two")
    size = len(framed(b"one"))
    whole, rest = divmod(cut, size)
    expected = [b"one", b"two"][:whole]
    assert shapes(content[:cut]) == expected + ([(whole * size, rest, "torn")] if rest else [])


@given(position=st.integers(0, len(framed(b"one", b"two")) - 1), bit=st.integers(0, 7))
def test_flipped_bit_is_never_read_as_a_record(position, bit):
    content = bytearray(framed(b"one", b"two", b"three"))
    spared = HEAD_BYTES - 3 <= position % (HEAD_BYTES + 3) < HEAD_BYTES  # the three unused bytes of a head
    content[position] ^= 1 << bit
    found = shapes(bytes(content))
    assert [part for part in found if isinstance(part, bytes) and part not in {b"one", b"two", b"three"}] == []
    assert spared or any(not isinstance(part, bytes) for part in found)


def test_damaged_payload_costs_only_its_record():
    content = framed(b"one", b"two", b"three").replace(b"two", b"owt")
    assert shapes(content) == [b"one", (19, 19, "damaged"), b"three"]


@pytest.mark.parametrize("junk", [bytes(50), b"\xff" * 50, b"x"], ids=["zeros", "ones", "a byte"])
def test_junk_at_the_end_is_one_damage(junk):
    [first, damage] = scan(memoryview(framed(b"one") + junk), 0)
    assert bytes(first.payload) == b"one"
    assert isinstance(damage, Damage)
    assert (damage.offset, damage.length) == (19, len(junk))


def test_absurd_records_are_refused():
    class Long(bytes):
        __slots__ = ()

        def __len__(self):
            return MAX_PAYLOAD + 1

    with pytest.raises(ValueError, match="at most"):
        frame(RecordKind.OTLP_TRACES, Long(), 1)
    with pytest.raises(ValueError, match="spans"):
        frame(RecordKind.OTLP_TRACES, b"", 2**32)
