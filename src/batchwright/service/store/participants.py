"""Test participants of researchers (specification, Account and participants)."""

import hashlib
import secrets
import sqlite3
from dataclasses import dataclass

from batchwright.service.store import ids

_GUESS_COSTS = 2**12
"""A low cost is enough for random passwords."""


@dataclass(frozen=True)
class StoredParticipant:
    """One test participant, and the account id of its researcher."""

    id: str
    email: str
    researcher: str


@dataclass(frozen=True)
class Password:
    """A password as it is stored: salt and hash."""

    salt: bytes
    hash: bytes


def random_password() -> Password:
    """The hash of a random password. It is slow: call it outside a transaction."""
    salt = secrets.token_bytes(16)
    password = secrets.token_urlsafe(24).encode()
    return Password(salt, hashlib.scrypt(password, salt=salt, n=_GUESS_COSTS, r=8, p=1))


def add(
    connection: sqlite3.Connection, *, email: str, researcher: str, password: Password, now: int
) -> StoredParticipant:
    """Create a test participant (specification, Test participant 4)."""
    participant = StoredParticipant(ids.new_object_id(), email, researcher)
    connection.execute(
        "INSERT INTO test_participant"
        " (id, email, email_key, researcher, password_salt, password_hash, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (participant.id, email, email_key(email), researcher, password.salt, password.hash, now),
    )
    return participant


def find(connection: sqlite3.Connection, id: str) -> StoredParticipant | None:
    """The test participant with an id; None for any other participant."""
    row = connection.execute(
        "SELECT id, email, researcher FROM test_participant WHERE id = ?", (id,)
    ).fetchone()
    return None if row is None else StoredParticipant(**row)


def has_email(connection: sqlite3.Connection, email: str) -> bool:
    """Whether a test participant has this e-mail address, ignoring case."""
    rows = connection.execute("SELECT 1 FROM test_participant WHERE email_key = ?", (email_key(email),))
    return rows.fetchone() is not None


def email_key(email: str) -> str:
    """The address in lower case, since mail addresses do not depend on case in practice."""
    return email.strip().casefold()
