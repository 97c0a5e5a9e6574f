"""What the actions that fix problems and the list of problems share: shortcuts, and a reason."""

from batchwright.base.i18n import N_

FIX_KEYS, FIX_ALL_KEYS, FIX_EVERYTHING_KEYS = "Ctrl+.", "Ctrl+F8", "Ctrl+Shift+F8"
NO_SAFE_FIX = N_("No problem has a fix that removes nothing; decide on each one, or fix all of its kind")
"""Why `Fix all` is disabled."""
