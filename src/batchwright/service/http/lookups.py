"""Finds what a request refers to and checks the account's access (wire reference, sections 2.4 and 15).

Without access, a resource is reported as unknown, unless the specification requires a 403.
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


def dataset_of(request: ApiRequest, connection: Connection) -> StoredDataset:
    """The dataset in the path.

    Raises:
        HttpError: unknown, or not for this account (404).
    """
    dataset = datasets.find(connection, request.path_params["dataset_id"])
    if dataset is None or not request.account.may_use(dataset.workspace_id):
        raise not_found(_("Dataset not found."))
    return dataset


def writable_dataset(request: ApiRequest, connection: Connection) -> StoredDataset:
    """The dataset in the path, for a request that gets a 403 without access.

    Raises:
        HttpError: unknown (404), not for this account (403).
    """
    dataset = datasets.find(connection, request.path_params["dataset_id"])
    if dataset is None:
        raise not_found(_("Dataset not found."))
    if not request.account.may_use(dataset.workspace_id):
        raise forbidden()
    return dataset


def dataset_to_change(request: ApiRequest, connection: Connection) -> StoredDataset:
    """The dataset in the path, for a request that changes it and is recorded as its use.

    Raises:
        HttpError: unknown (404), not for this account (403).
    """
    dataset = writable_dataset(request, connection)
    datasets.record_use(connection, dataset.row_id, request.state.clock())
    return dataset


def require_v4(dataset: StoredDataset) -> None:
    """Reject a request that only V4 datasets support (Datasets rules 1 and 3).

    Raises:
        HttpError: it is a V3 dataset (400).
    """
    if not dataset.is_v4:
        raise bad_request(
            _("This is a V3 dataset: it has no schema, and accepts datapoints only as CSV and ZIP files.")
        )


def dataset_to_attach(connection: Connection, id: str, workspace_id: str) -> StoredDataset:
    """The dataset that is to be attached to a batch of this workspace.

    Raises:
        HttpError: unknown, or of another workspace (400).
    """
    dataset = datasets.find(connection, id)
    if dataset is None or dataset.workspace_id != workspace_id:
        raise bad_request({"dataset_id": [_("This workspace has no dataset with this id.")]})
    return dataset


def batch_of(
    request: ApiRequest, connection: Connection, unknown: HTTPStatus = HTTPStatus.BAD_REQUEST
) -> StoredBatch:
    """The batch in the path.

    Raises:
        HttpError: unknown, or not for this account (400, or the status `unknown`).
    """
    batch = batches.find(connection, request.path_params["batch_id"])
    if batch is None or not request.account.may_use(batch.workspace_id):
        raise HttpError(unknown, _("Batch not found."))
    return batch


def batch_to_change(request: ApiRequest, connection: Connection) -> StoredBatch:
    """The batch in the path, for a request that changes it and is recorded as its use.

    Raises:
        HttpError: unknown, or not for this account (400).
    """
    batch = batch_of(request, connection)
    batches.record_use(connection, batch.row_id, request.state.clock())
    return batch


def collection_of(
    request: ApiRequest, connection: Connection, unknown: HTTPStatus = HTTPStatus.BAD_REQUEST
) -> StoredCollection:
    """The collection in the path.

    Raises:
        HttpError: unknown, or not for this account (400, or the status `unknown`); or collections are
            switched off for its workspace (404).
    """
    collection = collections.find(connection, request.path_params["collection_id"])
    if collection is None or not request.account.may_use(collection.study.workspace_id):
        raise HttpError(unknown, _("Collection not found."))
    _require_collections(request, collection.study.workspace_id)
    return collection


def collection_to_change(request: ApiRequest, connection: Connection) -> StoredCollection:
    """The collection in the path, for a request that changes it and is recorded as its use.

    Raises:
        HttpError: unknown, or not for this account (400); or collections are switched off for its workspace
            (404).
    """
    collection = collection_of(request, connection)
    batches.record_use(connection, collection.study.row_id, request.state.clock())
    return collection


def batch_to_export(request: ApiRequest, connection: Connection) -> StoredBatch:
    """The batch in the path of an export request (wire reference, section 8).

    Raises:
        HttpError: unknown (404), not for this account (403).
    """
    batch = batches.find(connection, request.path_params["batch_id"])
    if batch is None:
        raise not_found(_("Batch not found."))
    if not request.account.may_use(batch.workspace_id):
        raise forbidden()
    return batch


def collection_to_export(request: ApiRequest, connection: Connection) -> StoredBatch:
    """The study of the collection in the path of an export request (wire reference, section 8).

    Raises:
        HttpError: unknown, or collections are switched off (404), not for this account (403).
    """
    collection = collections.find(connection, request.path_params["collection_id"])
    if collection is None:
        raise not_found(_("Collection not found."))
    require_workspace(request, collection.study.workspace_id)
    _require_collections(request, collection.study.workspace_id)
    return collection.study


def workspace_for_collections(request: ApiRequest, workspace_id: str) -> str:
    """The workspace of a request about its collections.

    Raises:
        HttpError: not for this account (403), or collections are switched off for it (404).
    """
    require_workspace(request, workspace_id)
    _require_collections(request, workspace_id)
    return workspace_id


def require_workspace(request: ApiRequest, workspace_id: str) -> str:
    """The workspace of a request.

    Raises:
        HttpError: not for this account (403).
    """
    if not request.account.may_use(workspace_id):
        raise forbidden()
    return workspace_id


def _require_collections(request: ApiRequest, workspace_id: str) -> None:
    if not request.state.accounts.has_feature(workspace_id, Feature.COLLECTIONS):
        raise feature_off()
