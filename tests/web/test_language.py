"""The pages speak English and Chinese, and say the same in both."""

import re
from pathlib import Path

import pytest

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.review import FlagView, ItemState, QueueName, Role, Round
from trajaudit.review.desk_records import FormVerdict, Refusal
from trajaudit.web.language import TEXTS, Words, chosen

WEB = Path(__file__).resolve().parents[2] / "trajaudit" / "web"
EN, ZH = TEXTS["en"], TEXTS["zh"]


def test_both_languages_have_the_same_texts_with_the_same_places() -> None:
    def places(text: str) -> set[str]:
        return set(re.findall(r"{(\w+)}", text))

    assert EN.keys() == ZH.keys()
    differ = [key for key in EN if places(EN[key]) != places(ZH[key])]
    # One of anything has no number in English.
    assert [key for key in differ if "|" not in EN[key]] == []


def test_every_text_that_a_page_names_exists_and_none_is_left_over() -> None:
    sources = [*WEB.glob("templates/*.j2"), *WEB.glob("*.py"), *WEB.glob("pages/*.py")]
    text = "\n".join(path.read_text() for path in sources)
    named = set(re.findall(r"\b(?:t|words)\(\s*[\"'](\w+)[\"']\s*[,)]", text))
    script = (WEB / "static" / "review.js").read_text()
    said = {f"js_{key}" for key in re.findall(r"say\(\"(\w+)\"", script)}
    ternary = set(re.findall(r"\"(\w+)\" if ", text)) | set(re.findall(r"else \"(\w+)\"", text))
    parts = (*re.findall(r"[\"'](\w+_)[\"'] ~", text), "js_", "why_", "key_")

    assert sorted((named | said) - EN.keys()) == []
    unused = EN.keys() - named - said - ternary
    assert (
        sorted(key for key in unused if not key.startswith(parts) and f'"{key}"' not in text) == []
    )


@pytest.mark.parametrize(
    ("prefix", "values"),
    [
        ("kind_", FailureKind),
        ("state_", ItemState),
        ("queue_", QueueName),
        ("verdict_", FormVerdict),
        ("choose_", FormVerdict),
        ("flag_", FlagView),
        ("role_name_", Role),
        ("round_name_", Round),
    ],
)
def test_every_value_has_a_name(prefix: str, values: list[str]) -> None:
    assert [value for value in values if f"{prefix}{value}" not in EN] == []


def test_every_refusal_has_a_text() -> None:
    hidden = {
        Refusal.NO_SUCH_ITEM,
        Refusal.NOT_ALLOWED,
        Refusal.NOT_FOUND,
        Refusal.NOT_SETTLED,
        Refusal.NOT_IN_CONFLICT,
        Refusal.OWN_CONFLICT,
    }
    assert [one for one in Refusal if one not in hidden and f"why_{one}" not in EN] == []


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        (None, None, "en"),
        ("zh", "en", "zh"),
        ("../../etc", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, "fr-FR, de;q=0.9, zh-TW;q=0.2", "zh"),
        (None, "zh;q=0.1, en-GB;q=0.7", "en"),
        (None, "zh;q=0, *", "en"),
        (None, "zh;q=much", "en"),
        (None, "," * 100_000, "en"),
    ],
)
def test_the_language_is_that_of_the_cookie_or_else_the_one_liked_best(
    cookie: str | None, accepted: str | None, language: str
) -> None:
    assert chosen(cookie, accepted) == Words(language)


def test_one_and_many_are_told_apart() -> None:
    words = Words("en")

    assert words("items_left", n=1) == "one item left"
    assert words("items_left", n=0) == "0 items left"
    assert Words("zh")("items_left", n=1) == "剩余 1 条"
