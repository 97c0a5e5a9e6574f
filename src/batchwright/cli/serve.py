"""`batchwright-cli serve`: runs the service on this computer."""

import argparse
import sys

from batchwright.base.environment import SERVICE_TOKEN, with_tokens
from batchwright.base.i18n import _
from batchwright.local.paths import default_paths
from batchwright.service.server.serve import ServeOptions, serve


def run(options: argparse.Namespace) -> int:
    """Run the service until it is terminated; prints one line of JSON when it is ready."""
    if options.tls_key is not None and options.tls_cert is None:
        print(_("--tls-key requires --tls-cert."), file=sys.stderr)
        return 2
    if options.tls_self_signed and options.tls_cert is not None:
        print(_("Use either --tls-self-signed or --tls-cert, not both."), file=sys.stderr)
        return 2
    return serve(
        ServeOptions(
            host=options.host,
            port=options.port,
            data_dir=options.data_dir or default_paths().service,
            token_file=options.token_file,
            token=None if options.token_file else with_tokens().get(SERVICE_TOKEN),
            base_url=options.base_url,
            tls_cert=options.tls_cert,
            tls_key=options.tls_key,
            tls_self_signed=options.tls_self_signed,
            job_delay=options.job_delay,
            with_parent=options.with_parent,
        )
    )
