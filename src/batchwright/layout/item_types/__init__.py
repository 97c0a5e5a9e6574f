"""The item types, one module each. `registry` lists them, and `base` has their base classes."""
