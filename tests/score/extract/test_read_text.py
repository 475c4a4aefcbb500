"""Names in sentences: which longer name is the same thing, which is another, which nobody can tell
by a rule.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.score.extract.judged import judged

SCHOOL = "Which school did the poet found?"
RIVER = "On which river does the town lie?"
ROWS: list[tuple[str, Any, str, str]] = [
    # What the question says already adds nothing.
    ("He founded Harrow School in 1572.", "Harrow", SCHOOL, "correct"),
    ("The town lies on the Severn River.", "Severn", RIVER, "correct"),
    ("The River Severn.", "Severn", RIVER, "correct"),
    ("Actress Ada Quill won it.", "Ada Quill", "Which actress won it?", "correct"),
    ("His sister is Mona Bell.", "Mona", "Who is Tom Bell's sister?", "correct"),
    ("It is Tom Hale Bell.", "Hale", "What is Tom Bell's middle name?", "correct"),
    # Titles, ships.
    ("It was Sir Ada Quill.", "Ada Quill", "Who was it?", "correct"),
    ("The ship was the HMS Linnet.", "Linnet", "Which ship was it?", "correct"),
    # Another name, whatever was asked.
    ("The town lies on the New River.", "River", RIVER, "incorrect"),
    ("It is in South Norland.", "Norland", "In which country is it?", "incorrect"),
    ("South Norland", "Norland", "Which country lies south of it?", "incorrect"),
    ("It is Norland-Marsh.", "Norland", "Which country is it?", "incorrect"),
    ("It is York Minster.", "York", "Is the older one York or York Minster?", "incorrect"),
    ("It is Norland City.", "Norland", "In which country is the city?", "incorrect"),
    ("It is Inter Milden.", "Milden", "Which Milden club, Inter or Oss?", "incorrect"),
    ("It was Mary Bell, sister of Mona Bell.", "Mona", "Who is Tom Bell's child?", "incorrect"),
    ("It was Tom Bell's brother.", "Tom", "Who is Mona Bell's child?", "incorrect"),
    ("It was the HMS Linnet.", "Linnet", "Which admiral was it?", "incorrect"),
    ("It is Salt Lake City.", "Salt", "Which lake city is it?", "incorrect"),
    ("It is Norland City.", "Norland", "Which city in Norland is it?", "incorrect"),
    # A surname: whose it is, a rule cannot tell.
    ("It was Ada Quill.", "Quill", "Who was it?", "ambiguous"),
    ("It was Ada Quill.", "Quill", "Where was it?", "incorrect"),
    ("It was Ada Quill Hall.", "Quill", "Who was it?", "incorrect"),
    ("It was played at Sandfield Park.", "Sandfield", "Where was it played?", "incorrect"),
    ("It was not Ada Quill but Mona Bell.", "Quill", "Who was it?", "incorrect"),
    # Long texts say any word.
    ("He founded Harrow School.", "Harrow", f"{SCHOOL} {'Some more is said. ' * 30}", "incorrect"),
    # All words of it, put otherwise: a person can tell, a rule cannot.
    ("It is a market that Zell holds in winter.", "winter market of Zell", "", "ambiguous"),
    ("It is not a market that Zell holds in winter.", "winter market of Zell", "", "incorrect"),
    ("It is a fair that Zell holds in winter.", "winter market of Zell", "", "incorrect"),
    ("Zell market, winter", "winter market of Zell", "", "incorrect"),
    # Accents, in the reply or in the reference.
    ("The capital is Lom\u00e9.", "Lome", "What is the capital?", "correct"),
    ("The capital is Lome, by the sea.", "Lom\u00e9", "What is the capital?", "correct"),
    # Articles.
    ('He was known as "Rook".', "The Rook", "What was he called?", "correct"),
    ("They asked who it was.", "The Who", "Which band was it?", "incorrect"),
    # Numbers as words, plurals.
    ("He was banned for three years by the board.", "3 years", "", "correct"),
    ("It grows by 6.8 percent.", "eight percent", "", "incorrect"),
    ("It happens every ten years.", "Every 10 years", "", "correct"),
    ("They are laid by lizards.", "lizard", "Which animals lay them?", "correct"),
    ("It caused damages.", "damage", "What did it cause?", "incorrect"),
    ("Today the news is bad.", "new", "", "incorrect"),
    ("They were the Eagles.", "Eagle", "", "incorrect"),
    # Names of works that hold what ends a sentence, or a question.
    ('The song is "Run! Run! Run!"', "Run! Run! Run!", "Which song is it?", "correct"),
    ("The film is Ah! Such a Day. It is short.", "Ah! Such a Day", "Which film?", "correct"),
    ('Ada Quill sang "Can You See It?"', "Ada Quill", "Who sang it?", "correct"),
    ('Did Ada Quill sing "Can You See It?"', "Ada Quill", "Who sang it?", "incorrect"),
    # Words that only begin like a denial.
    ("It should be noted Ada Quill won.", "Ada Quill", "Who won?", "correct"),
    ("The northern capital Zell is larger.", "Zell", "Which is larger?", "correct"),
    ("They were all notorious smugglers.", "smugglers", "What were they?", "correct"),
    ("It is not the town Zell.", "Zell", "Where was it?", "no_answer"),
    ("It is never Zell.", "Zell", "Where was it?", "no_answer"),
    ("It never was Zell.", "Zell", "Where was it?", "no_answer"),
    ("Not one was active.", "active", "What is the status?", "no_answer"),
    # Numbers go on.
    ("He was banned for twenty three years.", "3 years", "", "incorrect"),
    ("It has five million of them.", "5", "", "incorrect"),
    ("It has 17 members.", "Seventeen", "Which band is it?", "incorrect"),
    # Ordinals of names.
    ("It was the Linnet II.", "Linnet", "Which ship was it?", "incorrect"),
    # Several things, in any order.
    ("I first thought Oss, Pern and Zell. It is Tyne.", "Zell, Oss, Pern", "Which 3?", "incorrect"),
    ("- Tyne\n- Oss\n- Zell\n- Pern", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("Oss, Pern, Zell, Tyne.", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("Oss, Pern and Zell, plus Tyne.", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("Oss\nPern\nZell\nTyne", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("Tyne; Oss, Pern, Zell", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("None of Oss, Pern and Zell.", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("Tyne and Ulm. They border Oss, Pern, Zell.", "Zell, Oss, Pern", "Which three?", "incorrect"),
    ("1918, 1914", "1914, 1918", "What are the start and end years?", "incorrect"),
    ("Peace and Dust", "Dust and Peace", "Which novel is it?", "incorrect"),
    ("They are Pern, Zell and Oss.", "Zell, Oss and Pern", "Which three towns?", "correct"),
    ("1. Oss\n2. Pern\n3. Zell", "Zell, Oss, Pern", "Which three towns?", "correct"),
    ("They are Pern, Zell, Oss and Tyne.", "Zell, Oss, Pern", "Which three towns?", "incorrect"),
    ("They are Pern and Zell.", "Zell, Oss, Pern", "Which three towns?", "incorrect"),
    ("1990 and 1987.", "1987, 1990", "In which years?", "correct"),
    ("4, 3", "3, 4", "Which point is it?", "incorrect"),
    ("Oss and Zell.", "Zell and Oss", "Who won, and who came second?", "incorrect"),
    ("Oss, Zell", "Zell, Oss", "Name them in order of size.", "incorrect"),
    ("It is South Oss and Zell.", "Oss and Zell", "Which two towns?", "incorrect"),
]


@pytest.mark.parametrize(("reply", "text", "question", "outcome"), ROWS)
def test_a_wanted_text_in_a_reply(reply: str, text: str, question: str, outcome: str) -> None:
    assert judged(reply, {"text": text}, question) == outcome


@given(
    names=st.lists(st.sampled_from(["Zell", "Oss", "Pern", "Tyne"]), min_size=2, unique=True),
    data=st.data(),
)
def test_the_order_of_several_things_never_matters(names: list[str], data: st.DataObject) -> None:
    other = data.draw(st.permutations(names))
    wanted = {"text": ", ".join(names)}
    assert judged(f"They are {', '.join(other)}.", wanted, "Which towns?") == "correct"


@given(word=st.text("abcdefgh", min_size=3, max_size=8).map(str.title))
def test_a_word_of_the_question_beside_a_name_adds_nothing(word: str) -> None:
    question = f"Which {word.lower()} is meant?"
    wanted = {"text": "Zorrin"}
    assert judged(f"It is the Zorrin {word}.", wanted, question) == "correct"
    assert judged(f"It is the Zorrin {word}.", wanted, "What is meant?") != "correct"
