"""What the program's database says about participants, and removing it."""

from datetime import UTC, datetime

from batchwright.base.database import Database
from batchwright.local.analysis_settings import remove_participant
from batchwright.local.database import erase_deleted
from batchwright.local.deleted_participants import record_deletion
from batchwright.local.id_registry import remove_test_participant


class StoredParticipants:
    """The participants in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def forget(self, id: str, *, has_account: bool) -> None:
        """Remove a participant from the exclusions of all analyses, and the account unless it is left.

        Nothing of it stays in the files of the database and in their copies, and what was received before is
        not stored again.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        with self._database.write() as connection:
            record_deletion(connection, id, datetime.now(UTC))
            remove_participant(connection, id)
            if not has_account:
                remove_test_participant(connection, id)
        erase_deleted(self._database)
