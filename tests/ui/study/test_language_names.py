"""Languages are named in themselves, without a region that they are not chosen with."""

import pytest

from batchwright.ui.study.language_names import language_names, own_name

pytestmark = pytest.mark.gui


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("en", "English (en)"),
        ("es", "español (es)"),
        ("nl", "Nederlands (nl)"),
        ("es-MX", "español de México (es-MX)"),
    ],
)
def test_a_language_has_the_name_of_a_region_only_if_its_tag_has_one(tag: str, name: str) -> None:
    assert own_name(tag) == name


def test_what_is_no_language_is_not_listed() -> None:
    names = language_names(["tlh-Latn"])
    assert {"en", "pt", "pt-BR", "tlh-Latn"} <= names.keys()
    assert not {"", "C", "en-POSIX"} & names.keys()
