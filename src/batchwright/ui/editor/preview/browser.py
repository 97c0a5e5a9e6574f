"""Opens a page of the layout in the default browser, served by the local service."""

from batchwright.base.i18n import _
from batchwright.ui.core.desktop import open_url
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.wire.local_routes import PreviewRequest


def open_in_browser(context: StageContext, session: ConnectionSession, request: PreviewRequest) -> None:
    """Request a preview link, which stores nothing, and open it. Only the local service has preview links."""
    if session.is_live:
        sentence = _("Choose This computer in the header first: a hosted service shows no previews.")
        context.toasts.show_toast(Toast(ToastSeverity.WARNING, _("No preview in the browser"), sentence))
        return

    async def show() -> None:
        workflow_context = await session.context()
        preview = await workflow_context.service.local.preview(request)
        open_url(context.toasts, preview.url)

    context.tasks.start("preview in the browser", show)
