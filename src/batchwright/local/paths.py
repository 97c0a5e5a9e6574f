"""Where this computer keeps the program's things: one folder for data, one for what can be made again."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from batchwright.base.environment import HOME_VARIABLE


@dataclass(frozen=True)
class Folders:
    """The folders of one user."""

    data: Path
    """Database, backups and settings: what must not be lost."""
    cache: Path
    """What can be made again."""

    @property
    def service(self) -> Path:
        """The data folder of the service on this computer."""
        return self.data / "service"

    @property
    def backups(self) -> Path:
        """Copies of the database."""
        return self.data / "backups"

    def create(self) -> None:
        """Make all of them, for their owner's eyes only.

        Raises:
            OSError: one cannot be made.
        """
        for folder in (self.data, self.cache, self.service, self.backups):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def default_paths() -> Folders:
    """The folders that the system has for such things, or those below `BATCHWRIGHT_HOME`."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Folders(data=Path(home) / "data", cache=Path(home) / "cache")
    return Folders(
        data=platformdirs.user_data_path("Batchwright", appauthor=False),
        cache=platformdirs.user_cache_path("Batchwright", appauthor=False),
    )
