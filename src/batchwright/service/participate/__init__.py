"""The pages that participants see: a study's start, its questions, previews, and what they load."""

from starlette.routing import Route

from batchwright.service.participate import assets, preview_pages, question_pages, start_page

PARTICIPATE_ROUTES = [
    Route("/participate/assets/{name}", assets.get, methods=["GET"]),
    Route("/participate/samples/{name:path}", assets.sample, methods=["GET"]),
    Route("/participate/preview/{preview_id}", preview_pages.show, methods=["GET"]),
    Route("/participate/preview/{preview_id}", preview_pages.receive, methods=["POST"]),
    Route("/participate/{batch_id}", start_page.get_start_page, methods=["GET"]),
    Route("/participate/{batch_id}/start", start_page.start, methods=["POST"]),
    Route("/participate/{batch_id}/{submission_id}", question_pages.get_page, methods=["GET"]),
    Route("/participate/{batch_id}/{submission_id}", question_pages.post_page, methods=["POST"]),
]
"""Every participant page; the first that matches answers."""
