"""Finding texts and references to fields in a study, and replacing them."""
