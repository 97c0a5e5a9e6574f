"""Participants: hints, right answers, answers given again, and exclusions by rule."""
