"""How the service of this computer stands, in words."""

from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.client.local_service import Condition, State


@dataclass(frozen=True)
class ServiceWords:
    """A sign with its tone, a sentence, and whether starting it again is offered."""

    glyph: str
    tone: str
    sentence: str
    can_restart: bool = False


def service_words(condition: Condition) -> ServiceWords:
    """What to tell of the service."""
    match condition.state:
        case State.ASLEEP:
            return ServiceWords("clock", "text2", _("Starts when it is needed"))
        case State.STARTING:
            return ServiceWords("hourglass-medium", "question", _("Starting"))
        case State.RUNNING:
            return ServiceWords("check-circle-fill", "ok", _("Running"))
        case State.FAILED:
            return ServiceWords("warning-circle-fill", "err", _failure(condition), can_restart=True)


def _failure(condition: Condition) -> str:
    from batchwright.workflows.messages import describe

    return _("It does not run") if condition.fault is None else describe(condition.fault).what
