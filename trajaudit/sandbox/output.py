"""Keeps what a program printed within a bound: the head and the tail, with a mark between."""

MIN_OUTPUT = 256


class Clip:
    """Collects a stream of any length in at most about twice `limit` bytes of memory."""

    def __init__(self, limit: int) -> None:
        self._head_size = max(limit, MIN_OUTPUT) // 2
        self._tail_size = max(limit, MIN_OUTPUT) - self._head_size
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._tail_size:
            self._trim()

    def _trim(self) -> None:
        excess = len(self._tail) - self._tail_size
        if excess > 0:
            del self._tail[:excess]
            self._dropped += excess

    @property
    def truncated(self) -> bool:
        """Whether bytes are missing."""
        return self._dropped > 0 or len(self._tail) > self._tail_size

    def value(self) -> bytes:
        """Return everything, or head and tail with a mark that says how much is missing."""
        self._trim()
        if not self._dropped:
            return bytes(self._head + self._tail)
        mark = f"\n[... {self._dropped} bytes cut by trajaudit ...]\n".encode()
        return bytes(self._head) + mark + bytes(self._tail)


class Tail:
    """Keeps the last `limit` bytes of a stream."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self._data += data
        if len(self._data) > 2 * self._limit:
            del self._data[: -self._limit]

    def value(self) -> bytes:
        """Return the last bytes."""
        return bytes(self._data[-self._limit :])
