"""Images from the server of the tests."""

from batchwright.base.network_settings import NetworkSettings
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.web_images import WebImages
from batchwright.workflows.load_image import load_image
from tests.fakes.image_server import ImageServer


def web_images(server: ImageServer, tasks: Tasks) -> WebImages:
    """Images that are requested after a short pause, with trust in the certificate of the server."""
    network = NetworkSettings(certificates=str(server.certificate))
    return WebImages(lambda url: load_image(url, network, server.url), tasks, pause_s=0.05)
