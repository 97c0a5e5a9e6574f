"""Tables, the base classes of their models, and the buttons that belong to them."""
