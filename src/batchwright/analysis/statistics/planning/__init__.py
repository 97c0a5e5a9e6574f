"""How results would change: with more answers, and with or without exclusions."""
