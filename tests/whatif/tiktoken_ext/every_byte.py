"""An encoding for tiktoken: every byte is a token."""

ENCODING_CONSTRUCTORS = {
    "every_byte": lambda: {
        "name": "every_byte",
        "pat_str": r"(?s:.)",
        "mergeable_ranks": {bytes([number]): number for number in range(256)},
        "special_tokens": {"<|end|>": 256},
    }
}
