"""Answers to instructions: what counts as one, drawing one, and putting one in words (wire.md 7.1).

Used by the participant page, by the preview and by simulated participants alike.
"""

from batchwright.layout.answers.files import Answer, DrawnFile, FileEntry
from batchwright.layout.answers.formatting import answer_text
from batchwright.layout.answers.random_answers import draw
from batchwright.layout.answers.validation import faults

__all__ = ["Answer", "DrawnFile", "FileEntry", "answer_text", "draw", "faults"]
