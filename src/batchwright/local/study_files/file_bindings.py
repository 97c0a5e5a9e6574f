"""The ids that services assigned to a study whose file cannot contain them: a collection as JSON or YAML.

They are stored in the program's database by the path of the file, as of the last time it was saved, so that
the study still belongs to its collection when the file is opened again, also after another program has
edited it. A copy of the file elsewhere belongs to none.
"""

import zlib
from collections.abc import Mapping
from dataclasses import replace

from batchwright.base.database import Database
from batchwright.local.projects import Project, RemoteBinding, project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.study_files.study_file import StudyFile, id_of_path


class FileBindings:
    """The bindings of files, in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def store(self, project: Project, file: StudyFile) -> None:
        """Store the bindings of a study that was just saved, if its file cannot contain them.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        if not file.has_bindings_elsewhere:
            return
        file_id = id_of_path(file.path)
        bound = Project(project.name, project.layout, kind=project.kind, remotes=project.remotes)
        with self._database.write() as connection:
            if project.remotes:
                connection.execute(_UPSERT, (file_id, zlib.compress(project_content(bound))))
            else:
                connection.execute("DELETE FROM file_binding WHERE file_id = ?", (file_id,))

    def restore(self, project: Project, file: StudyFile) -> Project:
        """A study that was just read, with the bindings stored for its file.

        If another program has changed the file, ids are those of the pages and items that it still has. If it
        has another name now and none of the stored items, it has been replaced, and has no bindings.

        Raises:
            InvalidProjectFile: the bindings were stored by a newer Batchwright.
        """
        from batchwright.layout.comparing.node_matching import (  # not needed until then
            has_same_items,
            match_nodes,
        )

        if not file.has_bindings_elsewhere:
            return project
        with self._database.read() as connection:
            row = connection.execute(_SELECT, (id_of_path(file.path),)).fetchone()
        if row is None:
            return project
        stored = read_project(zlib.decompress(row["content"]))
        if project.name != stored.name and not has_same_items(project.layout, stored.layout):
            return project
        keys = match_nodes(project.layout, stored.layout)
        remotes = {name: _with_keys(remote, keys) for name, remote in stored.remotes.items()}
        return replace(project, remotes=remotes)


def _with_keys(remote: RemoteBinding, keys: Mapping[str, str]) -> RemoteBinding:
    """A binding with its ids for other keys; `keys` has the previous key of each node."""
    return remote.with_ids_mapped(lambda ids: {key: ids[old] for key, old in keys.items() if old in ids})


_SELECT = "SELECT content FROM file_binding WHERE file_id = ?"
_UPSERT = """
INSERT INTO file_binding (file_id, content) VALUES (?, ?)
ON CONFLICT DO UPDATE SET content = excluded.content
"""
