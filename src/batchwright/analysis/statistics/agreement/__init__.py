"""How far participants agree, and the labels that follow from their answers."""
