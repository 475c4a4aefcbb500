"""Certificates are found again for the very judges that earned them, the newest first."""

from pathlib import Path
from typing import Any

from trajaudit.datamodel.gold import Bounded, Certificate, Standing
from trajaudit.record.certificates import (
    FOLDER,
    certificate_of,
    earlier_uses,
    write_certificate,
)

NONE = Bounded(hits=0, of=0)
STANDING = Standing(judge="panel", passes=NONE, fails=NONE, due=0, admitted=False)


def made(**changed: Any) -> Certificate:
    plain = Certificate(
        panel="p",
        rubric="harm",
        identity="a" * 64,
        gold="harm",
        gold_sha256="1" * 64,
        sha256={},
        version="0",
        made="2026-11-29T10:00:00+00:00",
        least=0.8,
        confidence=0.95,
        certified=True,
        panel_standing=STANDING,
        judges=(),
    )
    return plain.model_copy(update=changed)


def test_the_newest_of_the_same_judges_counts(tmp_path: Path) -> None:
    write_certificate(tmp_path, made())
    write_certificate(
        tmp_path,
        made(gold_sha256="2" * 64, certified=False, made="2026-11-29T11:00:00+00:00"),
    )
    write_certificate(tmp_path, made(identity="b" * 64, made="2026-11-29T12:00:00+00:00"))

    found = certificate_of(tmp_path, "a" * 64)

    assert found is not None
    assert found.certified is False
    assert certificate_of(tmp_path, "c" * 64) is None


def test_identities_that_begin_alike_are_not_the_same(tmp_path: Path) -> None:
    write_certificate(tmp_path, made(identity="a" * 40 + "b" * 24))

    assert certificate_of(tmp_path, "a" * 64) is None


def test_other_versions_on_the_same_labels_are_counted_once_each(tmp_path: Path) -> None:
    for letter in "bcc":
        write_certificate(tmp_path, made(identity=letter * 64))
    write_certificate(tmp_path, made(identity="d" * 64, rubric="recovery"))
    write_certificate(tmp_path, made(identity="e" * 64, gold_sha256="9" * 64))

    assert earlier_uses(tmp_path, "1" * 64, "harm", "a" * 64) == 2
    assert earlier_uses(tmp_path, "1" * 64, "harm", "b" * 64) == 1


def test_a_damaged_certificate_certifies_nothing(tmp_path: Path) -> None:
    path = write_certificate(tmp_path, made())
    assert path.parent == tmp_path / FOLDER
    path.write_text("{")

    assert certificate_of(tmp_path, "a" * 64) is None
