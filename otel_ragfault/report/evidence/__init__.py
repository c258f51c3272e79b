"""The evidence record: everything that another reviewer needs to reconstruct a verdict, in one file."""

from otel_ragfault.report.evidence.document import EvidenceRecord, evidence_json_schema, read_evidence, write_evidence
from otel_ragfault.report.evidence.gather import gather_evidence
from otel_ragfault.report.evidence.provenance import provenance
from otel_ragfault.report.evidence.verify import Verification, verify_evidence

__all__ = [
    "EvidenceRecord",
    "Verification",
    "evidence_json_schema",
    "gather_evidence",
    "provenance",
    "read_evidence",
    "verify_evidence",
    "write_evidence",
]
