"""What of an agent's history is known already, and whether it was rewritten.

An agent sends its whole history with every model call. All histories of a trial are kept as one
tree of messages; what a request shares with it is known, the rest is new.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from trajaudit.gateway.item import Item


@dataclass(eq=False)
class Node:
    """A message in one place of a conversation."""

    item: Item | None = None
    parent: "Node | None" = None
    seq: int | None = None
    """Event that holds it; None where another event says the same (a tool's observation)."""
    echoed: bool = False
    """The agent sent it; a reply of the model is not echoed before the agent builds on it."""
    waiting: int = 0
    """Model calls that were made from here and are not answered."""
    children: dict[bytes, "Node"] = field(default_factory=dict)
    last: "Node | None" = None
    """Child that was added or walked most recently."""


@dataclass(frozen=True)
class Walked:
    """How far a history is known."""

    node: Node
    """The last known message of it."""
    new: Sequence[Item]
    dropped: Node | None
    """First message of a known conversation that is no longer there: it was rewritten."""


def walk(start: Node, items: Sequence[Item]) -> Walked:
    """Follow `items` from `start` as far as they are known."""
    node = start
    known = 0
    for item in items:
        child = node.children.get(item.key)
        if child is None:
            break
        child.echoed = True
        node.last = child
        node = child
        known += 1
    new = items[known:]
    return Walked(node, new, _reworded(node, new) or _dropped(node))


def add(node: Node, item: Item, seq: int | None, *, echoed: bool) -> Node:
    """Add a message below `node` and return its node."""
    child = node.children.get(item.key)
    if child is None:
        child = Node(item, node, seq, echoed)
        node.children[item.key] = child
    node.last = child
    return child


def _reworded(node: Node, new: Sequence[Item]) -> Node | None:
    """Return the model's reply that an assistant's message of the agent stands in for."""
    reply = node.last
    if reply is None or reply.item is None or not new or reply.waiting:
        return None
    return reply if reply.item.role == new[0].role == "assistant" else None


def _dropped(node: Node) -> Node | None:
    """Return the first message that a history which ends at `node`, or goes on differently, drops.

    Another conversation that merely begins alike is no rewriting: the common beginning has to
    hold more than instructions, and the agent must have built on what the model said after it,
    and must not be waiting there for an answer.
    """
    if not _holds_a_task(node):
        return None
    later = list(_latest(node))
    built_on = any(one.echoed and one.item and one.item.role == "assistant" for one in later)
    if not built_on or any(one.waiting for one in later):
        return None
    return next((one for one in later if one.seq is not None), None)


def _latest(node: Node) -> Iterator[Node]:
    following = node.last
    while following is not None:
        yield following
        following = following.last


def _holds_a_task(node: Node) -> bool:
    above: Node | None = node
    while above is not None and above.item is not None:
        if above.item.role not in ("system", "developer"):
            return True
        above = above.parent
    return False
