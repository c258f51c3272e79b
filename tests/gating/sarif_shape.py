"""The parts of SARIF 2.1.0 that a gate uses, as a JSON Schema of its own: stricter than the standard where GitHub is."""

_TEXT = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
    "additionalProperties": False,
}
_LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "additionalProperties": False,
                    "properties": {"uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+$"}},
                },
                "region": {
                    "type": "object",
                    "required": ["startLine"],
                    "additionalProperties": False,
                    "properties": {"startLine": {"type": "integer", "minimum": 1}},
                },
            },
        },
        "logicalLocations": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name"],
                "additionalProperties": False,
                "properties": {"name": {"type": "string"}, "kind": {"type": "string"}},
            },
        },
    },
}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_RULE = {
    "type": "object",
    "required": ["id"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string"},
        "shortDescription": _TEXT,
        "fullDescription": _TEXT,
        "help": _TEXT,
    },
}
_RESULT = {
    "type": "object",
    "required": ["ruleId", "message", "locations", "partialFingerprints"],
    "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": _LEVEL,
        "message": _TEXT,
        "locations": {"type": "array", "minItems": 1, "maxItems": 10, "items": _LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "properties": {"type": "object"},
    },
}
_NOTIFICATION = {
    "type": "object",
    "required": ["message"],
    "additionalProperties": False,
    "properties": {"level": _LEVEL, "message": _TEXT, "properties": {"type": "object"}},
}
_INVOCATION = {
    "type": "object",
    "required": ["executionSuccessful"],
    "additionalProperties": False,
    "properties": {
        "executionSuccessful": {"type": "boolean"},
        "exitCode": {"type": "integer"},
        "toolExecutionNotifications": {"type": "array", "items": _NOTIFICATION},
    },
}
_DRIVER = {
    "type": "object",
    "required": ["name", "rules"],
    "additionalProperties": False,
    "properties": {
        "name": {"const": "ragfault"},
        "version": {"type": "string"},
        "rules": {"type": "array", "items": _RULE},
    },
}
_RUN = {
    "type": "object",
    "required": ["tool", "results"],
    "additionalProperties": False,
    "properties": {
        "tool": {
            "type": "object",
            "required": ["driver"],
            "additionalProperties": False,
            "properties": {"driver": _DRIVER},
        },
        "invocations": {"type": "array", "items": _INVOCATION},
        "results": {"type": "array", "items": _RESULT},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    },
}
SHAPE = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "pattern": "sarif-schema-2.1.0.json$"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": _RUN},
    },
}
