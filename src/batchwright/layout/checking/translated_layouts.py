"""Checks a layout in the languages that it is translated to, with the same rules."""

from batchwright.base.cooperative import yielding_gil
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.rules.problems import Fields, Problem
from batchwright.layout.translations import ParticipantTexts, Translations


def problems_of_translations(
    texts: ParticipantTexts, translations: Translations, fields: Fields
) -> dict[str, list[Problem]]:
    """The problems that a layout has in each language and not in its own, in reading order."""
    own = set(map(_identity, _problems(texts, fields)))
    return {
        language: [
            problem
            for problem in _problems(texts.translated(translated), fields)
            if _identity(problem) not in own
        ]
        for language, translated in yielding_gil(translations.items())
    }


def _problems(texts: ParticipantTexts, fields: Fields) -> list[Problem]:
    return LayoutChecker(fields, tries_fixes=False).check(texts.layout)


def _identity(problem: Problem) -> tuple[object, ...]:
    return problem.code, problem.path, problem.attribute
