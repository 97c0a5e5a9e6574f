"""The pages that participants see: start page, question pages, previews, and the files they load."""
