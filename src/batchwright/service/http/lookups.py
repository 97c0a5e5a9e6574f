"""Finding what a request names, and refusing what its account may not see (wire.md 2.4 and 15).

To who has no access, a thing is as unknown, unless the specification asks for a 403.
"""

from http import HTTPStatus

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.service.auth import Feature
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import HttpError, bad_request, feature_off, forbidden, not_found
from batchwright.service.store import batches, collections, datasets
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.collections import StoredCollection
from batchwright.service.store.datasets import StoredDataset


def dataset_of(call: ApiRequest, connection: Connection) -> StoredDataset:
    """The dataset in the path.

    Raises:
        HttpError: unknown, or not for this account (404).
    """
    dataset = datasets.find(connection, call.path["dataset_id"])
    if dataset is None or not call.account.may_use(dataset.workspace_id):
        raise not_found(_("Dataset not found."))
    return dataset


def writable_dataset(call: ApiRequest, connection: Connection) -> StoredDataset:
    """The dataset in the path, for a request that the specification answers with 403 without access.

    Raises:
        HttpError: unknown (404), not for this account (403).
    """
    dataset = datasets.find(connection, call.path["dataset_id"])
    if dataset is None:
        raise not_found(_("Dataset not found."))
    if not call.account.may_use(dataset.workspace_id):
        raise forbidden()
    return dataset


def require_v4(dataset: StoredDataset) -> None:
    """Refuse what only V4 datasets offer (Datasets rules 1 and 3).

    Raises:
        HttpError: it is a V3 dataset (400).
    """
    if not dataset.is_v4:
        raise bad_request(
            _("This is a V3 dataset: it has no schema, and takes datapoints only from CSV and ZIP files.")
        )


def dataset_to_attach(connection: Connection, id: str, workspace_id: str) -> StoredDataset:
    """The dataset that a batch of this workspace asks for.

    Raises:
        HttpError: unknown, or of another workspace (400).
    """
    dataset = datasets.find(connection, id)
    if dataset is None or dataset.workspace_id != workspace_id:
        raise bad_request({"dataset_id": [_("This workspace has no dataset with this id.")]})
    return dataset


def batch_of(
    call: ApiRequest, connection: Connection, unknown: HTTPStatus = HTTPStatus.BAD_REQUEST
) -> StoredBatch:
    """The batch in the path.

    Raises:
        HttpError: unknown, or not for this account (400, or what `unknown` says).
    """
    batch = batches.find(connection, call.path["batch_id"])
    if batch is None or not call.account.may_use(batch.workspace_id):
        raise HttpError(unknown, _("Batch not found."))
    return batch


def collection_of(
    call: ApiRequest, connection: Connection, unknown: HTTPStatus = HTTPStatus.BAD_REQUEST
) -> StoredCollection:
    """The collection in the path.

    Raises:
        HttpError: unknown, or not for this account (400, or what `unknown` says); or collections are
            switched off for its workspace (404).
    """
    collection = collections.find(connection, call.path["collection_id"])
    if collection is None or not call.account.may_use(collection.study.workspace_id):
        raise HttpError(unknown, _("Collection not found."))
    _insist_on_collections(call, collection.study.workspace_id)
    return collection


def batch_to_export(call: ApiRequest, connection: Connection) -> StoredBatch:
    """The batch in the path, of which an export is asked for (wire.md 8).

    Raises:
        HttpError: unknown (404), not for this account (403).
    """
    batch = batches.find(connection, call.path["batch_id"])
    if batch is None:
        raise not_found(_("Batch not found."))
    if not call.account.may_use(batch.workspace_id):
        raise forbidden()
    return batch


def collection_to_export(call: ApiRequest, connection: Connection) -> StoredBatch:
    """The study of the collection in the path, of which an export is asked for (wire.md 8).

    Raises:
        HttpError: unknown, or collections are switched off (404), not for this account (403).
    """
    collection = collections.find(connection, call.path["collection_id"])
    if collection is None:
        raise not_found(_("Collection not found."))
    require_workspace(call, collection.study.workspace_id)
    _insist_on_collections(call, collection.study.workspace_id)
    return collection.study


def workspace_for_collections(call: ApiRequest, workspace_id: str) -> str:
    """A workspace named in a request about its collections.

    Raises:
        HttpError: not for this account (403), or collections are switched off for it (404).
    """
    require_workspace(call, workspace_id)
    _insist_on_collections(call, workspace_id)
    return workspace_id


def require_workspace(call: ApiRequest, workspace_id: str) -> str:
    """A workspace named in a request.

    Raises:
        HttpError: not for this account (403).
    """
    if not call.account.may_use(workspace_id):
        raise forbidden()
    return workspace_id


def _insist_on_collections(call: ApiRequest, workspace_id: str) -> None:
    if not call.parts.accounts.has_feature(workspace_id, Feature.COLLECTIONS):
        raise feature_off()
