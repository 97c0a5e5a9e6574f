"""Signatures of minisign: checked as that program does, which signs in one test."""

import shutil
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

from batchwright.base.minisign import signature_error
from tests.fakes.news_server import Signer

CONTENT = b'{"version": "1.2"}'


@pytest.mark.parametrize("is_hashed", [True, False])
def test_what_is_signed_counts_until_it_is_changed(is_hashed: bool) -> None:
    signer = Signer()
    signature = signer.signature(CONTENT, is_hashed=is_hashed)
    assert signature_error(CONTENT, signature, signer.public_key) == ""
    error = signature_error(CONTENT + b" ", signature, signer.public_key)
    assert error == "it was changed after it was signed"


def test_another_key_does_not_count_even_with_the_same_name() -> None:
    signature = Signer().signature(CONTENT)
    assert signature_error(CONTENT, signature, Signer().public_key) == "it was changed after it was signed"
    assert (
        signature_error(CONTENT, signature, Signer(b"othernam").public_key) == "it is signed with another key"
    )


@pytest.mark.parametrize(
    "signature", [b"", b"a line", b"one\ntwo", b"\xff\n\xff", b"c\n" + b64encode(b"ED" + bytes(9))]
)
def test_anything_else_is_no_signature(signature: bytes) -> None:
    assert signature_error(CONTENT, signature, Signer().public_key) == "its signature is not one of minisign"


@pytest.mark.parametrize("key", ["", "RW", "ä", b64encode(b"Ed" + bytes(41)).decode()])
def test_anything_else_is_no_key(key: str) -> None:
    assert signature_error(CONTENT, Signer().signature(CONTENT), key) == "the key of this copy is not valid"


def test_the_hash_of_a_content_cannot_be_passed_off_as_the_content() -> None:
    signer = Signer()
    signature = signer.signature(CONTENT).splitlines()
    forged = b"\n".join([signature[0], signature[1].replace(b"RUQ", b"RWQ", 1), *signature[2:]])
    assert signature_error(CONTENT, forged, signer.public_key)


@pytest.mark.skipif(shutil.which("minisign") is None, reason="minisign is not installed")
@pytest.mark.parametrize("options", [["-H"], ["-l"], []])
def test_what_minisign_signs_counts(tmp_path: Path, options: list[str]) -> None:
    news, public, secret = tmp_path / "news.json", tmp_path / "minisign.pub", tmp_path / "minisign.key"
    news.write_bytes(CONTENT)
    run = ["minisign", "-G", "-f", "-W", "-p", str(public), "-s", str(secret)]
    subprocess.run(run, check=True, capture_output=True)
    subprocess.run(["minisign", "-S", *options, "-s", secret, "-m", news], check=True, capture_output=True)
    signature = (tmp_path / "news.json.minisig").read_bytes()
    key = public.read_text().splitlines()[1]
    assert signature_error(CONTENT, signature, key) == ""
    assert signature_error(CONTENT + b" ", signature, key)
