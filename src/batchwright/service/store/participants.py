"""Test participants that researchers have made (specification, Account and participants)."""

import hashlib
import secrets
import sqlite3
from dataclasses import dataclass

from batchwright.service.store import ids

_GUESS_COSTS = 2**12
"""Little is enough: the passwords are random."""


@dataclass(frozen=True)
class StoredParticipant:
    """One test participant, and the account of the researcher whose details it has."""

    id: str
    email: str
    researcher: str


@dataclass(frozen=True)
class Password:
    """A password as it is kept: nobody can read it."""

    salt: bytes
    hash: bytes


def random_password() -> Password:
    """A random password that nobody has read; to be made before a transaction, for it takes its time."""
    salt = secrets.token_bytes(16)
    unread = secrets.token_urlsafe(24).encode()
    return Password(salt, hashlib.scrypt(unread, salt=salt, n=_GUESS_COSTS, r=8, p=1))


def add(
    connection: sqlite3.Connection, *, email: str, researcher: str, password: Password, now: int
) -> StoredParticipant:
    """Make a test participant (specification, Test participant 4)."""
    made = StoredParticipant(ids.new_object_id(), email, researcher)
    connection.execute(
        "INSERT INTO test_participant"
        " (id, email, email_key, researcher, password_salt, password_hash, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (made.id, email, email_key(email), researcher, password.salt, password.hash, now),
    )
    return made


def find(connection: sqlite3.Connection, id: str) -> StoredParticipant | None:
    """The test participant of that id; None for anybody else."""
    row = connection.execute(
        "SELECT id, email, researcher FROM test_participant WHERE id = ?", (id,)
    ).fetchone()
    return None if row is None else StoredParticipant(**row)


def has_email(connection: sqlite3.Connection, email: str) -> bool:
    """Whether a test participant has this address."""
    known = connection.execute("SELECT 1 FROM test_participant WHERE email_key = ?", (email_key(email),))
    return known.fetchone() is not None


def email_key(email: str) -> str:
    """The address as it is compared: in small letters, for mail knows no others in practice."""
    return email.strip().casefold()
