"""The command “Versions…”."""

from batchwright.base.i18n import _
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.version_recorder import VersionRecorder
from batchwright.ui.versions.labels import time_phrase
from batchwright.ui.versions.panel import VersionsPanel
from batchwright.ui.versions.state import OpenStore, VersionsState
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.ui.widgets.overlays import ModalOverlay


async def open_versions(
    context: StageContext, study: Study, recorder: VersionRecorder, open_store: OpenStore
) -> VersionsPanel:
    """Open the panel over the window; a version that was just created is in the list."""
    study.close_step()
    await recorder.store_waiting()
    state = VersionsState(study, open_store, context.tasks)
    panel = VersionsPanel(state)
    panel.accepted.connect(lambda: _show_restored(context, state))
    ModalOverlay(context.window, panel)
    state.load()
    return panel


def _show_restored(context: StageContext, state: VersionsState) -> None:
    if state.chosen is None:
        return
    title = _("Restored the version of {time}").format(time=time_phrase(state.chosen))
    text = _("Undo brings back what you had. Data file and batches are not affected.")
    context.toasts.show_toast(Toast(ToastSeverity.SUCCESS, title, text, topic="versions"))
