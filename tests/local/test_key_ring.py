"""Secrets in a real Secret Service: open, locked, or absent, each in its own session."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.login_sessions import Session, needs_programs

KEEP = """
import asyncio
from batchwright.local.secrets import KeyringUnavailable, TokenStore

async def keep():
    secrets = TokenStore()
    try:
        await secrets.set("hosted", "canary")
        print(await secrets.get("hosted"))
        await secrets.remove("hosted")
        print(await secrets.get("hosted"))
    except KeyringUnavailable as error:
        print(error.failure.name)

asyncio.run(keep())
"""


KEEP_WHEN_TOLD = """
import asyncio
from batchwright.local.secrets import KeyringUnavailable, TokenStore

async def keep():
    secrets = TokenStore()
    for _turn in range(2):
        try:
            await secrets.set("hosted", "canary")
            print(await secrets.get("hosted"), flush=True)
        except KeyringUnavailable as error:
            print(error.failure.name, flush=True)
            input()

asyncio.run(keep())
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session without a bus."""
    session = Session(tmp_path)
    with session.running:
        yield session


def test_without_a_bus_there_is_no_key_ring(session: Session) -> None:
    assert session.run(KEEP).split() == ["ABSENT"]


@pytest.mark.keyring
@needs_programs
def test_a_real_key_ring_keeps_and_removes_a_secret(session: Session) -> None:
    session.start_bus()
    session.unlock(b"right")
    assert session.run(KEEP).split() == ["canary", "None"]


@pytest.mark.keyring
@needs_programs
def test_a_key_ring_of_another_password_is_locked(tmp_path: Path) -> None:
    for password, expected in ((b"right", ["canary", "None"]), (b"wrong", ["LOCKED"])):
        session = Session(tmp_path)
        with session.running:
            session.start_bus()
            session.unlock(password)
            assert session.run(KEEP).split() == expected


@pytest.mark.keyring
@needs_programs
def test_a_key_ring_that_comes_up_later_is_found_by_the_same_program(session: Session) -> None:
    session.start_bare_bus()
    program = session.start(sys.executable, "-c", KEEP_WHEN_TOLD)
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
def test_a_bus_without_a_key_ring_keeps_nothing(session: Session) -> None:
    session.start_bus()
    assert session.run(KEEP).split() in (["ABSENT"], ["LOCKED"])
