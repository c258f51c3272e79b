"""The model judge: narrow questions to any OpenAI-compatible endpoint, each paid once."""

from otel_ragfault.judging.model.address import check_address
from otel_ragfault.judging.model.asking import Ask, Asker, Outcome
from otel_ragfault.judging.model.budget import Budget
from otel_ragfault.judging.model.checklists import CHECKLISTS, PROMPT_VERSION, Checklist
from otel_ragfault.judging.model.endpoint import Endpoint
from otel_ragfault.judging.model.journal import Journal
from otel_ragfault.judging.model.prompt import messages_of, schema_of, token_estimate
from otel_ragfault.judging.model.reply import Judgement, judgement_of
from otel_ragfault.judging.model.tasks import JudgeInput, Skipped, Task, tasks_of

__all__ = [
    "CHECKLISTS",
    "PROMPT_VERSION",
    "Ask",
    "Asker",
    "Budget",
    "Checklist",
    "Endpoint",
    "Journal",
    "JudgeInput",
    "Judgement",
    "Outcome",
    "Skipped",
    "Task",
    "check_address",
    "judgement_of",
    "messages_of",
    "schema_of",
    "tasks_of",
    "token_estimate",
]
