"""The certificates that the clients of these tests trust; a test adds that of its service."""

import ssl

TRUST = ssl.create_default_context()
TRUST.verify_flags |= ssl.VERIFY_X509_STRICT
