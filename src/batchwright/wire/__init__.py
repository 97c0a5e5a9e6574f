"""Request and response models of the API, including errors, with one module per resource."""
