"""Says that a study was sent from another computer or data folder, or to a connection that is not here."""

from collections.abc import Callable

from batchwright.base.i18n import _
from batchwright.local.places import is_other_data_folder
from batchwright.local.projects import RemoteBinding
from batchwright.ui.study.study_model import Study


def sent_elsewhere(study: Study, of: Callable[[RemoteBinding], str | None]) -> str:
    """A sentence about where a resource of the study is, if that is no connection here; empty otherwise.

    Args:
        study: the open study.
        of: returns the id of the resource, such as that of the batch.
    """
    names = [name for name, remote in study.elsewhere.items() if of(remote)]
    if not names:
        return ""
    if any(map(is_other_data_folder, names)):
        return _("This study was sent from another computer or data folder.")
    return _("This study was sent to “{name}”, which is not a connection here.").format(name=names[0])
