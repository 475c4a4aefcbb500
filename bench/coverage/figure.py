"""The picture of all coverages, as SVG."""

from collections.abc import Iterable, Sequence
from html import escape

from bench.coverage.row import PROMISED, Kind, Row

_ROW, _TOP, _LEFT, _RIGHT, _AXIS = 18, 64, 470, 40, 420
_WIDTH = _LEFT + _AXIS + _RIGHT
_COLOURS: dict[Kind, str] = {"ours": "#1d6fb8", "guaranteed": "#2f8f4e", "naive": "#c4511a"}
_SAYS: dict[Kind, str] = {
    "ours": "printed by trajaudit",
    "guaranteed": "printed, with a guarantee: may cover more",
    "naive": "common, and wrong here or elsewhere",
}
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)


def svg(rows: Sequence[Row]) -> str:
    """Draw one line a method and setting; a group a method, best first."""
    lines = list(_lines(rows))
    height = _TOP + _ROW * len(lines) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"',
        f'  width="{_WIDTH}" height="{height}" font-family="system-ui, sans-serif" font-size="11"',
        '  role="img" aria-label="Coverage of 95 % intervals, method by method">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        *_head(height),
    ]
    for number, line in enumerate(lines):
        parts += _drawn(line, _TOP + _ROW * number + _ROW / 2)
    return "\n".join([*parts, "</svg>", ""])


def _lines(rows: Sequence[Row]) -> Iterable[Row | str]:
    order: tuple[Kind, ...] = ("ours", "guaranteed", "naive")
    for kind in order:
        for method in dict.fromkeys(row.method for row in rows if row.kind == kind):
            yield method
            yield from (row for row in rows if row.kind == kind and row.method == method)


def _head(height: int) -> Iterable[str]:
    low, high = (_x(one) for one in PROMISED)
    bottom = height - 26
    yield (
        f'<rect x="{low:.1f}" y="{_TOP - 6}" width="{high - low:.1f}" '
        f'height="{bottom - _TOP + 6}" fill="#dfe9f3"/>'
    )
    for tick in _TICKS:
        x = _x(tick)
        yield (
            f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{bottom}" '
            f'stroke="{"#1d6fb8" if tick == 0.95 else "#d5d5d5"}"/>'
        )
        for y in (_TOP - 12, bottom + 14):
            yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle" fill="#444">{tick:g}</text>'
    x = 12.0
    for kind, says in _SAYS.items():
        yield f'<circle cx="{x}" cy="18" r="4" fill="{_COLOURS[kind]}"/>'
        yield f'<text x="{x + 9}" y="22" fill="#222">{escape(says)}</text>'
        x += 30 + 6.2 * len(says)
    low, high = PROMISED
    yield (
        f'<text x="12" y="40" fill="#444">Share of simulated 95 % intervals that hold the truth; '
        f"band: promised, {low:g} to {high:g}; line: two standard errors.</text>"
    )


def _drawn(line: Row | str, y: float) -> Iterable[str]:
    if isinstance(line, str):
        yield f'<text x="12" y="{y + 4:.1f}" font-weight="bold" fill="#222">{escape(line)}</text>'
        return
    colour = _COLOURS[line.kind]
    low, high = (max(0.0, min(1.0, line.coverage + sign * line.error)) for sign in (-2, 2))
    yield f'<text x="{_LEFT - 46}" y="{y + 4:.1f}" text-anchor="end" fill="#444">'
    yield f"{escape(line.setting)}</text>"
    yield (
        f'<text x="{_LEFT - 10}" y="{y + 4:.1f}" text-anchor="end" fill="{colour}">'
        f"{line.coverage:.3f}</text>"
    )
    yield (
        f'<line x1="{_x(low):.1f}" y1="{y:.1f}" x2="{_x(high):.1f}" y2="{y:.1f}" '
        f'stroke="{colour}" stroke-width="2"/>'
    )
    yield f'<circle cx="{_x(line.coverage):.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'


def _x(share: float) -> float:
    return _LEFT + _AXIS * share
