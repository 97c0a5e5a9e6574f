"""Answers to instructions: what counts as one, drawing one, and putting one in words (wire.md 7.1).

Used by the participant page, by the preview and by simulated participants alike.
"""

from batchwright.layout.answers.files import Answer, FileEntry, GeneratedFile
from batchwright.layout.answers.formatting import format_answer
from batchwright.layout.answers.random_answers import random_answer
from batchwright.layout.answers.validation import validate_answer

__all__ = ["Answer", "FileEntry", "GeneratedFile", "format_answer", "random_answer", "validate_answer"]
