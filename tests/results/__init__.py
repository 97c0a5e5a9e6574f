"""The room results: answers and tallies."""
