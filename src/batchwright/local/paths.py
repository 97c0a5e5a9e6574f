"""The program's folders on this computer: one for data, one for files that can be created again."""

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from batchwright.base.environment import home


@dataclass(frozen=True)
class Folders:
    """The folders of one user."""

    data: Path
    """Database, backups and settings: data that must not be lost."""
    cache: Path
    """Files that can be created again."""

    @property
    def service(self) -> Path:
        """The data folder of the service on this computer."""
        return self.data / "service"

    @property
    def backups(self) -> Path:
        """Copies of the database."""
        return self.data / "backups"

    def create(self) -> None:
        """Create all folders, readable by their owner only.

        Raises:
            OSError: a folder cannot be created.
        """
        for folder in (self.data, self.cache, self.service, self.backups):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def default_paths() -> Folders:
    """The system's folders for application data, or those below the folder of policy or environment."""
    if parent := home():
        return Folders(data=parent / "data", cache=parent / "cache")
    return Folders(
        data=platformdirs.user_data_path("Batchwright", appauthor=False),
        cache=platformdirs.user_cache_path("Batchwright", appauthor=False),
    )
