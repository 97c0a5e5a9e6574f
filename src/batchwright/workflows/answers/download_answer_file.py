"""Downloading a file that a participant uploaded; services offer these files in exports only."""

import asyncio
import shutil
import zipfile
from pathlib import Path

from batchwright.api.files.file_streams import OnProgress
from batchwright.base.files.atomic_files import errors_naming, replace_atomically, sibling_temp_file
from batchwright.base.files.temporary_files import temporary_subfolder
from batchwright.client.context import WorkflowContext
from batchwright.client.remote_study import RemoteStudy
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.workflows.answers.download_results import download_export


class FileNotInExport(Exception):
    """The export lacks the file: it was created before the file was uploaded (wire reference, section 15)."""


async def download_answer_file(
    context: WorkflowContext,
    study: RemoteStudy,
    file_key: str,
    path: Path,
    on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> Path:
    """Download the export, and save the file with a key from it to `path`, which is returned.

    Raises:
        FileNotInExport: the export does not contain the file.
        ExportFailed: the service could not create the export.
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """
    with errors_naming(path), temporary_subfolder(path.parent) as folder:
        archive = folder / "export.zip"
        await download_export(context, study, archive, on_progress, hooks)
        await asyncio.to_thread(extract_answer_file, archive, file_key, path)
    return path


def extract_answer_file(archive: Path, file_key: str, path: Path) -> None:
    """Save the file with a key from an export to `path`.

    Raises:
        FileNotInExport: it is not an export, or does not contain the file.
        OSError: a file cannot be read or written.
    """
    prefix = f"files/{file_key}/"
    if not zipfile.is_zipfile(archive):
        raise FileNotInExport
    with zipfile.ZipFile(archive) as members:
        member = next((name for name in members.namelist() if name.startswith(prefix)), None)
        if member is None:
            raise FileNotInExport
        with sibling_temp_file(path) as temporary:
            with members.open(member) as source, temporary.open("wb") as target:
                shutil.copyfileobj(source, target)
            replace_atomically(temporary, path)
