"""The name under which a study is published."""

import pytest

from batchwright.client.published_content import is_untitled, task_details
from batchwright.layout.model import Layout
from batchwright.local.projects import Project, study_name


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u2060\ufeff\u00ad"])
def test_a_study_with_a_name_that_shows_nothing_is_untitled(name: str) -> None:
    study = Project(name, Layout(()))
    assert is_untitled(study)
    assert study_name(study) == task_details(study).task_name == "Untitled study"


def test_a_study_with_a_name_is_published_under_it() -> None:
    study = Project(" Cats\u200b ", Layout(()))
    assert not is_untitled(study)
    assert study_name(study) == task_details(study).task_name == "Cats\u200b"
