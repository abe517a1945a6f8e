"""The queue: what puts judgings to workers, and the workers.

The web enqueues and never grades, so only the queue is handed on here; the worker is
`judge.work.worker`.
"""

from judge.work.chimes import Chimes
from judge.work.queue import Bell
from judge.work.shelf import Shelf

__all__ = ["Bell", "Chimes", "Shelf"]
