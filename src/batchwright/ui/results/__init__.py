"""The Results stage: shows, counts and downloads the answers."""
