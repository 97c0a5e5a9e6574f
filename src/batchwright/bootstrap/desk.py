"""The desk of a window and what it needs; imported after the first paint."""

from batchwright.environment import with_tokens
from batchwright.local.connections import Connections, offered
from batchwright.local.folders import Folders
from batchwright.local.recents import Recents
from batchwright.local.recovery import Recovery
from batchwright.local.secrets import Secrets
from batchwright.ui.connecting import Connecting
from batchwright.ui.desk import Desk, DeskParts
from batchwright.ui.files import Files
from batchwright.ui.kit.file_dialogs import FileDialogs
from batchwright.ui.program import Opened
from batchwright.ui.recovering import Recovering
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.workflows.benches import Benches


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
