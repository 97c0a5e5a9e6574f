"""The name under which a study is published."""

import pytest

from batchwright.client.published_content import is_untitled, task_details
from batchwright.layout.model import Layout
from batchwright.local.projects import UNTITLED, Project, study_name


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u2060\ufeff\u00ad"])
def test_a_study_with_a_name_that_shows_nothing_is_untitled(name: str) -> None:
    study = Project(name, Layout(()))
    assert is_untitled(study)
    assert study_name(study) == task_details(study).task_name == "Untitled study"


def test_a_study_with_a_name_is_published_under_it() -> None:
    study = Project(" Cats\u200b ", Layout(()))
    assert not is_untitled(study)
    assert study_name(study) == task_details(study).task_name == "Cats\u200b"


@pytest.mark.usefixtures("german")
def test_the_name_of_a_study_without_one_is_translated_and_not_stored_so() -> None:
    study = Project(UNTITLED, Layout(()))
    assert is_untitled(study)
    assert (study.name, study_name(study)) == ("Untitled study", "Unbenannte Studie")
