"""The command “Save results” with its dialog."""
