"""What a record of a deletion has instead of the id of a participant. Does not import pydantic."""

import hashlib


def participant_digest(id: str) -> str:
    """The SHA-256 of an id as hex digits."""
    return hashlib.sha256(id.encode(errors="surrogatepass")).hexdigest()
