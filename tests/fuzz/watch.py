"""What no input may cause: a traceback, a wait, or a heap of memory."""

from __future__ import annotations

import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 1.0
"""Most processor time for an input of 10 kB."""
MEGABYTES = 300
"""Most memory by which an input may raise the process's peak."""
HANG = 20.0


class TooSlow(AssertionError):
    """An input took longer than it may."""


class TooLarge(AssertionError):
    """An input took more memory than it may."""


def peak() -> float:
    """Largest memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def limits() -> Iterator[None]:
    """Ends what hangs: an alarm raises `TooSlow` inside of it."""

    def stop(*_: object) -> None:
        raise TooSlow(f"still running after {HANG:.0f} s of processor time")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def watched(run: Callable[[Any], object], given: Any) -> float:
    """Runs an entry point on an input; the processor time in seconds. Raises what the entry point must not do."""
    memory, start = peak(), time.process_time()
    with limits():
        run(given)
    took = time.process_time() - start
    if took > SECONDS:
        # Once more: the first time may have paid for an import or a neighbour on the same core.
        start = time.process_time()
        with limits():
            run(given)
        took = min(took, time.process_time() - start)
    if took > SECONDS:
        raise TooSlow(f"took {took:.2f} s of processor time; {SECONDS} s are allowed")
    if peak() - memory > MEGABYTES:
        raise TooLarge(f"raised the peak by {peak() - memory:.0f} MB; {MEGABYTES} MB are allowed")
    return took
