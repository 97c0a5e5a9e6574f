"""Ids: random ones, and ones derived from a number (wire reference, section 1.5).

Ids of datapoints, tasks and groups are derived from their numbers, so that a setup of a million tasks writes
only numbers and bulk writes stay fast.
"""

import functools
import hashlib
import secrets
import time
import uuid


def new_id() -> str:
    """A new UUID of version 7: 48 bits of time, then random bits."""
    milliseconds = time.time_ns() // 1_000_000
    bits = (milliseconds << 80) | secrets.randbits(80)
    bits = (bits & ~(0xF << 76)) | (0x7 << 76)
    bits = (bits & ~(0x3 << 62)) | (0x2 << 62)
    return str(uuid.UUID(int=bits))


def new_object_id() -> str:
    """A new id of 24 hex digits: the time in seconds, then 64 random bits."""
    return f"{int(time.time()):08x}{secrets.token_hex(8)}"


def datapoint_id(dataset_id: str, position: int) -> str:
    """The permanent id of a datapoint."""
    return _numbered("datapoint", dataset_id, 0, position)


def task_id(batch_id: str, setup: int, number: int) -> str:
    """The id of a task of one setup of a batch."""
    return _numbered("task", batch_id, setup, number)


def group_id(batch_id: str, setup: int, number: int) -> str:
    """The id of a task group of one setup of a batch."""
    return _numbered("group", batch_id, setup, number)


def _numbered(kind: str, owner: str, setup: int, number: int) -> str:
    return f"{_prefix(kind, owner, setup)}-{number:012x}"


@functools.lru_cache(maxsize=1024)
def _prefix(kind: str, owner: str, setup: int) -> str:
    """The first four parts of a UUID of version 8, shared by all numbers of one owner."""
    digest = hashlib.blake2b(f"{kind}:{owner}:{setup}".encode(), digest_size=8).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-8{digest[12:15]}-8{digest[13:16]}"
