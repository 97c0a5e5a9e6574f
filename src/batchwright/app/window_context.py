"""The desk of a window and what it needs; imported after the first paint."""

from batchwright.base.environment import with_tokens
from batchwright.client.connection_pool import Benches
from batchwright.local.autosave import Recovery
from batchwright.local.connections import Connections, offered
from batchwright.local.paths import Folders
from batchwright.local.recent_studies import Recents
from batchwright.local.secrets import Secrets
from batchwright.ui.connections.controller import Connecting
from batchwright.ui.core.application import Opened
from batchwright.ui.core.session import Session
from batchwright.ui.core.window_controller import Desk, DeskParts
from batchwright.ui.study.autosave import Recovering
from batchwright.ui.study.file_commands import Files
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.file_dialogs import FileDialogs


def benches_on(folders: Folders) -> Benches:
    """What opens the connections of the whole program."""
    return Benches(folders, Secrets())


def desk_for(opened: Opened, folders: Folders, benches: Benches) -> Desk:
    """The desk of one window."""
    frame, host = opened.frame, opened.frame.host
    study = Study(host)
    connecting = Connecting(host, Connections(folders.data), benches, offered=offered(with_tokens()))
    session = Session(benches, connecting.find, connecting.sign_in, host, signed_out=connecting.forget_owner)
    files = Files(frame, study, Recents(folders.data), FileDialogs(host), opened.windows)
    recovering = Recovering(frame, study, Recovery(folders.data), files)
    parts = DeskParts(study, session, files, connecting, recovering, benches.own_service)
    return Desk(frame, parts, opened.windows)
