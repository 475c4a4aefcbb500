"""Trials that were opened a moment ago, so that their further steps need no second reading."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from trajaudit.datamodel.review import Place
from trajaudit.review.blind import BlindTrial
from trajaudit.review.contents import Contents, Shown
from trajaudit.review.desk_records import PUBLIC, BlindPair, RubricShown

Key = tuple[str, str, str]
"""Reviewer, kind of page, item: nobody gets what another person opened."""
Content = BlindTrial | BlindPair
MOST = 8
KEPT = timedelta(minutes=30)


@dataclass
class Recent:
    """The last few contents that were shown; thread-safe."""

    clock: Callable[[], datetime]
    _held: OrderedDict[Key, tuple[datetime, Content]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, who: str, kind: str, item: str, content: Content) -> None:
        """Remember what a person was shown."""
        key = (who, kind, item[:PUBLIC])
        with self._lock:
            self._held[key] = (self.clock() + KEPT, content)
            self._held.move_to_end(key)
            while len(self._held) > MOST:
                self._held.popitem(last=False)

    def get(self, who: str, kind: str, item: str) -> Content | None:
        """Return what a person was shown; None: not lately, ask the desk."""
        key = (who, kind, item[:PUBLIC])
        with self._lock:
            until, content = self._held.get(key, (self.clock(), None))
            return content if until > self.clock() else None


@dataclass
class RecentContents:
    """Contents that keep the last items that were read: a long journal takes a second to read."""

    contents: Contents
    clock: Callable[[], datetime]
    _held: OrderedDict[str, tuple[datetime, Shown]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def show(self, item_id: str, places: Sequence[Place], *, is_pair: bool) -> Shown | None:
        """Return what an item shows, as it was read a moment ago or anew."""
        with self._lock:
            until, shown = self._held.get(item_id, (self.clock(), None))
            if until > self.clock():
                return shown
        shown = self.contents.show(item_id, places, is_pair=is_pair)
        if shown is not None:
            with self._lock:
                self._held[item_id] = (self.clock() + KEPT, shown)
                self._held.move_to_end(item_id)
                while len(self._held) > MOST:
                    self._held.popitem(last=False)
        return shown

    def rubric(self, name: str, *, is_pair: bool) -> RubricShown:
        """Return the question of a rubric."""
        return self.contents.rubric(name, is_pair=is_pair)
