"""`batchwright serve`: the service, on this computer."""

import argparse

from batchwright.local.folders import usual_folders
from batchwright.service.serving import ServeOptions, serve


def run(options: argparse.Namespace) -> int:
    """Serve until told to end; prints one JSON line when ready."""
    return serve(
        ServeOptions(
            host=options.host,
            port=options.port,
            data_dir=options.data_dir or usual_folders().service,
            token_file=options.token_file,
            base_url=options.base_url,
            tls_cert=options.tls_cert,
            tls_key=options.tls_key,
            job_delay=options.job_delay,
            with_parent=options.with_parent,
        )
    )
