"""The schema of a dataset at a service, and its comparison with the schema of a study."""

from batchwright.schema.model import Schema, are_equivalent
from batchwright.schema.parsing import InvalidSchema, read_schema
from batchwright.wire.datasets import Dataset


class SchemaDiffers(Exception):
    """The dataset has another schema than the study to be published with it; nothing was sent."""


def schema_of(dataset: Dataset) -> Schema | None:
    """The schema of a dataset; None if it has none or it cannot be parsed."""
    if dataset.schema_ is None:
        return None
    try:
        return read_schema(dataset.schema_)
    except InvalidSchema:
        return None


def lacks_schema(dataset: Dataset) -> bool:
    """Whether a layout cannot refer to any field: the dataset is V3 or has no fields.

    Specification, batch_items rule 3.
    """
    return not dataset.is_v4 or dataset.schema_ is None or not dataset.schema_.get("fields")


def differs(dataset: Dataset, schema: Schema | None) -> bool:
    """Whether a dataset has another schema than a study; False if either has none that can be parsed."""
    remote_schema = schema_of(dataset)
    return remote_schema is not None and schema is not None and not are_equivalent(remote_schema, schema)
