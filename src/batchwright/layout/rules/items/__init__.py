"""The rules on items of one type, a module for each type or group of types that has some."""
