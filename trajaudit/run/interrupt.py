"""Cleaning up that Ctrl-C does not cut short."""

import threading
from collections.abc import Callable


def to_the_end(work: Callable[[], object]) -> None:
    """Do `work` to its end; a Ctrl-C meanwhile is raised afterwards.

    Signals reach the main thread alone, so the work is done in another.

    Raises:
        Exception: what `work` raised.
        KeyboardInterrupt: it came while `work` was at it.
    """
    raised: list[BaseException] = []
    interrupted = False

    def do() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 (raised again in the caller's thread)
            raised.append(error)

    thread = threading.Thread(target=do, name="clean-up")
    thread.start()
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            interrupted = True
    if raised:
        raise raised[0]
    if interrupted:
        raise KeyboardInterrupt
