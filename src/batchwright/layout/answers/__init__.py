"""Answers to instructions: what counts as one, drawing one, and putting one in words (wire.md 7.1).

Used by the participant page, by the preview and by simulated participants alike.
"""

from batchwright.layout.answers.drawing import draw
from batchwright.layout.answers.files import Answer, DrawnFile, FileEntry
from batchwright.layout.answers.judging import faults
from batchwright.layout.answers.wording import answer_text

__all__ = ["Answer", "DrawnFile", "FileEntry", "answer_text", "draw", "faults"]
