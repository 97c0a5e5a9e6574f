"""The item types, one module each; `registry` lists them, and `base` is what they share."""
