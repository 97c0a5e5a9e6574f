"""Secrets in a real Secret Service: open, locked, or absent, each in its own session."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.login_sessions import Session, needs_programs

STORE_AND_REMOVE = """
import asyncio
from batchwright.local.secrets import KeyringUnavailable, TokenStore

async def store():
    secrets = TokenStore()
    try:
        await secrets.set("hosted", "canary")
        print(await secrets.get("hosted"))
        await secrets.remove("hosted")
        print(await secrets.get("hosted"))
    except KeyringUnavailable as error:
        print(error.failure.name)

asyncio.run(store())
"""


STORE_REPEATEDLY = """
import asyncio
from batchwright.local.secrets import KeyringUnavailable, TokenStore

async def store():
    secrets = TokenStore()
    for _attempt in range(2):
        try:
            await secrets.set("hosted", "canary")
            print(await secrets.get("hosted"), flush=True)
        except KeyringUnavailable as error:
            print(error.failure.name, flush=True)
            input()

asyncio.run(store())
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session without a bus."""
    session = Session(tmp_path)
    with session.running:
        yield session


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no such bus")
def test_without_a_bus_there_is_no_key_ring(session: Session) -> None:
    assert session.run(STORE_AND_REMOVE).split() == ["ABSENT"]


@pytest.mark.keyring
@needs_programs
def test_a_real_key_ring_stores_and_removes_a_secret(session: Session) -> None:
    session.start_bus()
    session.unlock(b"right")
    assert session.run(STORE_AND_REMOVE).split() == ["canary", "None"]


@pytest.mark.keyring
@needs_programs
def test_a_key_ring_with_another_password_is_locked(tmp_path: Path) -> None:
    for password, expected in ((b"right", ["canary", "None"]), (b"wrong", ["LOCKED"])):
        session = Session(tmp_path)
        with session.running:
            session.start_bus()
            session.unlock(password)
            assert session.run(STORE_AND_REMOVE).split() == expected


@pytest.mark.keyring
@needs_programs
def test_a_key_ring_that_starts_later_is_found_by_a_running_program(session: Session) -> None:
    session.start_bare_bus()
    program = session.start(sys.executable, "-c", STORE_REPEATEDLY)
    assert program.stdin
    assert program.stdout
    assert program.stdout.readline() == b"ABSENT\n"
    session.unlock(b"right")
    program.stdin.write(b"\n")
    program.stdin.flush()
    assert program.stdout.readline() == b"canary\n"
    assert program.wait(30) == 0


@pytest.mark.keyring
@needs_programs
def test_on_a_bus_with_a_locked_key_ring_nothing_is_stored(session: Session) -> None:
    session.start_bus()
    assert session.run(STORE_AND_REMOVE).split() in (["ABSENT"], ["LOCKED"])
