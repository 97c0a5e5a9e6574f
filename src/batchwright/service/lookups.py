"""Finding what a request names, and refusing what its account may not see (wire.md 2.4 and 15).

To who has no access, a thing is as unknown, unless the specification asks for a 403.
"""

from http import HTTPStatus

from batchwright.service.access import Call
from batchwright.service.answering import Refused, bad_request, forbidden, not_found
from batchwright.service.store import batches, datasets
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.database import Connection
from batchwright.service.store.datasets import StoredDataset
from batchwright.words import _


def dataset_of(call: Call, connection: Connection) -> StoredDataset:
    """The dataset in the path.

    Raises:
        Refused: unknown, or not for this account (404).
    """
    dataset = datasets.find(connection, call.path["dataset_id"])
    if dataset is None or not call.account.may_use(dataset.workspace_id):
        raise not_found(_("Dataset not found."))
    return dataset


def dataset_to_write(call: Call, connection: Connection) -> StoredDataset:
    """The dataset in the path, for a request that the specification answers with 403 without access.

    Raises:
        Refused: unknown (404), not for this account (403).
    """
    dataset = datasets.find(connection, call.path["dataset_id"])
    if dataset is None:
        raise not_found(_("Dataset not found."))
    if not call.account.may_use(dataset.workspace_id):
        raise forbidden()
    return dataset


def dataset_to_attach(connection: Connection, id: str, workspace_id: str) -> StoredDataset:
    """The dataset that a batch of this workspace asks for.

    Raises:
        Refused: unknown, or of another workspace (400).
    """
    dataset = datasets.find(connection, id)
    if dataset is None or dataset.workspace_id != workspace_id:
        raise bad_request({"dataset_id": [_("This workspace has no dataset with this id.")]})
    return dataset


def batch_of(call: Call, connection: Connection, unknown: HTTPStatus = HTTPStatus.BAD_REQUEST) -> StoredBatch:
    """The batch in the path.

    Raises:
        Refused: unknown, or not for this account (400, or what `unknown` says).
    """
    batch = batches.find(connection, call.path["batch_id"])
    if batch is None or not call.account.may_use(batch.workspace_id):
        raise Refused(unknown, _("Batch not found."))
    return batch


def workspace_to_use(call: Call, workspace_id: str) -> str:
    """A workspace named in a request.

    Raises:
        Refused: not for this account (403).
    """
    if not call.account.may_use(workspace_id):
        raise forbidden()
    return workspace_id
