from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.disks import fill_up, small_disk


@pytest.mark.parametrize("count", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_a_full_disk_is_named_and_costs_nothing(tmp_path: Path, count: int) -> None:
    with small_disk(tmp_path / "disk") as disk:
        if disk is None:
            pytest.skip("only root may mount a small disk; faults at every step stand in for it")
        assert fill_up(disk, count)["refused"] == 3 * count
