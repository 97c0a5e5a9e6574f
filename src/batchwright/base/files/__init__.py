"""Files that are written safely, and who can change them."""
