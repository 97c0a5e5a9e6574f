"""Other languages than English for tests."""

from collections.abc import Iterator

import pytest

from batchwright.base import i18n
from tests.packaging.scripts import load_script


@pytest.fixture(scope="session")
def catalogues() -> None:
    """The program's catalogues, compiled if they have changed."""
    load_script("translations").compile_changed()
    i18n.language.cache_clear()


@pytest.fixture
def german(catalogues: None) -> Iterator[None]:
    """Texts are in German, and numbers as in Germany."""
    i18n.use_language("de")
    yield
    i18n.use_language(None)
