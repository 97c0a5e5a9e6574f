"""How the service of this computer stands, in words."""

from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.client.local_service import ServiceState, ServiceStatus


@dataclass(frozen=True)
class ServiceStatusText:
    """A sign with its tone, a sentence, and whether starting it again is offered."""

    glyph: str
    tone: str
    text: str
    can_restart: bool = False


def service_status_text(condition: ServiceStatus) -> ServiceStatusText:
    """What to tell of the service."""
    match condition.state:
        case ServiceState.ASLEEP:
            return ServiceStatusText("clock", "text2", _("Starts when it is needed"))
        case ServiceState.STARTING:
            return ServiceStatusText("hourglass-medium", "question", _("Starting"))
        case ServiceState.RUNNING:
            return ServiceStatusText("check-circle-fill", "ok", _("Running"))
        case ServiceState.FAILED:
            return ServiceStatusText("warning-circle-fill", "err", _failure(condition), can_restart=True)


def _failure(condition: ServiceStatus) -> str:
    from batchwright.workflows.messages import describe

    return _("It does not run") if condition.fault is None else describe(condition.fault).what
