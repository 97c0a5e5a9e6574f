"""The pages that participants see: a study's start, its questions, previews, and what they load."""

from starlette.routing import Route

from batchwright.service.participate import answering, assets, previewing, starting

PARTICIPATE_ROUTES = [
    Route("/participate/assets/{name}", assets.get, methods=["GET"]),
    Route("/participate/samples/{name:path}", assets.sample, methods=["GET"]),
    Route("/participate/preview/{preview_id}", previewing.show, methods=["GET"]),
    Route("/participate/preview/{preview_id}", previewing.receive, methods=["POST"]),
    Route("/participate/{batch_id}", starting.study, methods=["GET"]),
    Route("/participate/{batch_id}/start", starting.start, methods=["POST"]),
    Route("/participate/{batch_id}/{submission_id}", answering.show, methods=["GET"]),
    Route("/participate/{batch_id}/{submission_id}", answering.receive, methods=["POST"]),
]
"""Every participant page; the first that matches answers."""
