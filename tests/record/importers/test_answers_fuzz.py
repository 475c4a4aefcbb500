"""Broken tables and transcripts end in a clear error or a clean import."""

from typing import Any

from hypothesis import given

from tests.record.importers.fuzzing import as_lines, assert_survives, fuzzed, mangled, mutated
from tests.record.importers.test_react_text import TEXT
from trajaudit.record.importers import answers, openai_chat, react_text

RECORDS: list[dict[str, Any]] = [
    {"id": 7, "question": "2 + 2?", "reference": "4", "output": "It is 4.", "correct": True},
    {"question": "Capital?", "golden_answer": "a/b", "answer_x": "a", "judge_x": True},
    {"question": "?", "choices": ["red", "blue"], "gold": 1, "response": "B", "score": 0.5},
    {"doc_id": 3, "doc": {"question": "?"}, "target": "4", "resps": [["4"]], "exact_match": 1.0},
    {"question": "?", "ground_truth": "x\n#### 4", "small": {"solution": "4", "is_correct": True}},
]
CHATS: list[dict[str, Any]] = [
    {
        "messages": [
            {"role": "system", "content": "be kind"},
            {"role": "user", "content": [{"type": "text", "text": "2 + 2?"}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "4"},
            {"role": "assistant", "content": "It is 4."},
        ],
        "tools": [{"type": "function", "function": {"name": "add", "parameters": {}}}],
        "choices": [{"message": {"role": "assistant", "content": "4"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
]
TABLE = b'id,question,reference,output,correct\n1,"2 + 2?",4,"It is\n4",true\n'


@fuzzed
@given(mutated(RECORDS))
def test_a_table_with_broken_records_survives(broken: Any) -> None:
    assert_survives(answers.IMPORTER, {"table.jsonl": as_lines(broken)})


@fuzzed
@given(mangled(TABLE))
def test_a_broken_csv_survives(broken: bytes) -> None:
    assert_survives(answers.IMPORTER, {"table.csv": broken})


@fuzzed
@given(mangled(TEXT.encode()))
def test_a_broken_transcript_survives(broken: bytes) -> None:
    assert_survives(react_text.IMPORTER, {"runs.txt": broken})


@fuzzed
@given(mutated(CHATS))
def test_broken_conversations_survive(broken: Any) -> None:
    assert_survives(openai_chat.IMPORTER, {"chats.jsonl": as_lines(broken)})


@fuzzed
@given(mangled(as_lines(CHATS)))
def test_broken_bytes_of_conversations_survive(broken: bytes) -> None:
    assert_survives(openai_chat.IMPORTER, {"chats.jsonl": broken})
