"""The status of the local service as text."""

from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.client.local_service import ServiceState, ServiceStatus


@dataclass(frozen=True)
class ServiceStatusText:
    """Icon, colour token, text, and whether a restart is offered."""

    glyph: str
    tone: str
    text: str
    can_restart: bool = False


def service_status_text(status: ServiceStatus) -> ServiceStatusText:
    """The displayed status of the local service."""
    match status.state:
        case ServiceState.ASLEEP:
            return ServiceStatusText("clock", "text2", _("Starts when needed"))
        case ServiceState.STARTING:
            return ServiceStatusText("hourglass-medium", "question", _("Starting"))
        case ServiceState.RUNNING:
            return ServiceStatusText("check-circle-fill", "ok", _("Running"))
        case ServiceState.FAILED:
            return ServiceStatusText("warning-circle-fill", "err", _failure(status), can_restart=True)


def _failure(status: ServiceStatus) -> str:
    from batchwright.workflows.messages import describe

    return _("Not running") if status.error is None else describe(status.error).what
