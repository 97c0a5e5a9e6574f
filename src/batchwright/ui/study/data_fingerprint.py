"""What identifies the data that a dataset is created from.

The study stores the digest of a `DataFingerprint`, with the SHA-256 of its file. The digest includes the
`repr` of `Format` and of the schema, so renaming their fields would change every stored digest.
"""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from batchwright.base.json_values import to_json
from batchwright.data_files.conversion.conversion import Conversion, write_conversion
from batchwright.data_files.formats import Format
from batchwright.local.projects import RemoteBinding
from batchwright.schema.model import schema_key
from batchwright.ui.study.study_model import Study


@dataclass(frozen=True)
class DataFingerprint:
    """The data that a dataset is created from."""

    path: Path
    size: int
    format: Format
    schema: object
    """The schema, normalised so that equivalent schemas are equal (`schema_key`)."""
    conversion: Conversion | None = None
    sha256: str | None = field(default=None, compare=False)
    """The SHA-256 of the file; None while it is not known, and for a folder."""

    def is_same(self, other: "DataFingerprint") -> bool:
        """Whether it is the same data, as far as the content of both files is known."""
        return self == other and (self.sha256 == other.sha256 or None in (self.sha256, other.sha256))

    @property
    def digest(self) -> str:
        """SHA-256 that identifies the data, independent of the folder of the file and of its content."""
        conversion = () if self.conversion is None else (to_json(write_conversion(self.conversion)),)
        content = repr((self.path.name, self.size, self.format, self.schema, *conversion))
        return hashlib.sha256(content.encode()).hexdigest()

    @property
    def stored(self) -> str:
        """The digest and the SHA-256 of the file, as the study stores them."""
        return f"{self.digest}:{self.sha256}" if self.sha256 else self.digest

    def delivered(self, remote: RemoteBinding) -> "DataFingerprint | None":
        """The data that a dataset was created from; None if more than the content of the file differs."""
        digest, _colon, sha256 = (remote.delivered or "").partition(":")
        return replace(self, sha256=sha256 or None) if digest == self.digest else None


def current_data(study: Study, sha256: str | None = None) -> DataFingerprint | None:
    """The data of a study, with the SHA-256 of its file if that is known; None without data or schema."""
    data, schema = study.data, study.schema
    if data is None or schema is None:
        return None
    key = schema_key(schema)
    return DataFingerprint(data.path, data.size, data.format, key, data.conversion, sha256)


def has_other_data(study: Study, connection: str) -> bool:
    """Whether the dataset at a connection was created from other data than the study has now."""
    remote, content = study.remote(connection), current_data(study)
    return bool(remote.delivered) and content is not None and content.delivered(remote) is None
