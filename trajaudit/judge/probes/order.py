"""Does the order in which criteria and choices stand decide?"""

from dataclasses import replace

from trajaudit.judge.probes.base import Probe, Side, Subject, clean


def _reversed(subject: Subject) -> Side:
    return replace(clean(subject), order=2)


def _turned_choices(subject: Subject) -> Side:
    return replace(clean(subject), order=2, turned_choices=True)


ORDER = Probe("order", "criteria and choices the other way round", _reversed, must_pass=True)
OPTION_ORDER = Probe("option_order", "choices the other way round", _turned_choices)
