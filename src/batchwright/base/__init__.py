"""What every package needs: JSON, text, URLs, files, translation, resources. Imports nothing of ours."""
