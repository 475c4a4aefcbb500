"""The shop's python mocks in a container of their own, as a run starts them."""

from pathlib import Path

import pytest

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import MockError
from trajaudit.mocks.python import WORKER_ARGV, SharedWorker, worker_files
from trajaudit.mocks.toolbox import ToolBox
from trajaudit.record.scenarios import load_scenario
from trajaudit.sandbox.docker_provider import DockerProvider

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.docker
def test_a_mock_that_kills_its_worker_does_not_stop_the_next_call() -> None:
    shop = load_scenario(ROOT / "scenarios/shop_support/refunds.yaml")
    files = worker_files(shop.scenario.tools, shop.open_file)
    files["mocks/shop.py"] += b"\ndef check_stock(world, sku):\n    import os; os._exit(7)\n"
    provider = DockerProvider([ROOT / "sandboxes"])
    spec = SandboxSpec(image="agent-base", memory_mb=512, pids=64)
    shared = SharedWorker(
        lambda: provider.worker(spec, run_id="mocks", argv=WORKER_ARGV, files=files)
    )
    try:
        box = ToolBox(
            shop.scenario.tools,
            world=shop.scenario.world,
            open_file=shop.open_file,
            worker=lambda: shared,
        )
        with pytest.raises(MockError, match="the worker failed"):
            box.call("check_stock", {"sku": "MUG-1"})
        reply = box.call("refund_order", {"order_id": "A-17", "amount": 42.5})
    finally:
        shared.stop()
        provider.close()

    assert reply.content == '{"order_id":"A-17","refunded":42.5}'
    assert reply.world_changed
