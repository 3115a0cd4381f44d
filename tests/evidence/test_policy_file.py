"""What a policy file may say, and that whatever else it says is refused with line, reason and cure."""

from __future__ import annotations

from dataclasses import fields
from datetime import date

import pytest

from ibforensic import pipeline
from ibforensic.evidence import POLICY, Policy
from ibforensic.evidence.limits import ROWS, adjusted, limits_of
from ibforensic.evidence.policy_text import EXAMPLE, explain_policy, weight_fields
from ibforensic.model.errors import BadPolicy

NDR = "NDR RS(544,514), active"
KNOWN = '[[ignore]]\nnode = "leaf-01"\nreason = "cable"\nowner = "me"\nuntil = 2026-03-31\n'


@pytest.fixture
def read(tmp_path):
    def reader(text: str | bytes) -> Policy:
        path = tmp_path / "site.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return pipeline.read_policy(path)

    return reader


def test_what_is_not_mentioned_stays_as_it_is(read):
    assert read("") == POLICY
    assert read(b"\xef\xbb\xbf# saved by an editor that marks UTF-8\r\n") == POLICY
    assert read('[bit_errors]\nset = "field"\n') == POLICY


def test_limits_and_weights_are_changed_by_name(read):
    made = read(
        "[weights]\nthreshold = 4\nreboot_downs = 5\n[weights.physical_weight]\nport_rcv_errors = 0.5\n"
    )
    assert (made.threshold, made.reboot_downs) == (4.0, 5)
    assert made.physical_weight == POLICY.physical_weight | {"port_rcv_errors": 0.5}
    assert POLICY.physical_weight["port_rcv_errors"] == 0.7


@pytest.mark.parametrize("item", [item for item in fields(Policy) if item.name in vars(POLICY)])
def test_every_field_can_be_set_by_a_file(item, read):
    usual = getattr(POLICY, item.name)
    if isinstance(usual, dict) and usual:
        part = next(iter(usual))
        made = read(f"[weights.{item.name}]\n{part} = 0.25\n")
        assert getattr(made, item.name)[part] == 0.25
    elif isinstance(usual, int | float):
        changed = type(usual)(usual + 1) if isinstance(usual, int) else usual / 2
        assert getattr(read(f"[weights]\n{item.name} = {changed}\n"), item.name) == changed
    else:
        assert item.name in ("bit_error_limits", "purposes", "ignored")


def test_the_bring_up_set_gives_ndr_links_its_limits(read):
    made = read('[bit_errors]\nset = "bring-up"\n')
    plain = limits_of("NDR", "RS-FEC (544,514)", False, 0xD2F2)
    row = adjusted(plain, made.bit_error_limits)
    assert plain.effective.error == 1e-13
    assert (row.effective.error, row.effective.warning) == (1e-14, 5e-15)
    assert row.effective.normal == pytest.approx(1e-15)
    assert row.raw == plain.raw
    assert adjusted(ROWS["HDR 16 nm"], made.bit_error_limits) == ROWS["HDR 16 nm"]
    assert adjusted(None, made.bit_error_limits) is None


def test_a_row_wins_over_the_set(read):
    made = read(f'[bit_errors]\nset = "bring-up"\n[bit_errors."{NDR}"]\neffective = 3e-14\nraw = 1e-4\n')
    row = adjusted(ROWS[NDR], made.bit_error_limits)
    assert (row.raw.error, row.effective.error, row.symbol.error) == (1e-4, 3e-14, 1e-14)


def test_known_faults_are_read_whole(read):
    (entry,) = read(KNOWN + 'port = "1/6/2"\nrule = "link_down"\n').ignored
    assert (entry.node, entry.port, entry.rule) == ("leaf-01", "1/6/2", "link_down")
    assert (entry.reason, entry.owner, entry.until) == ("cable", "me", date(2026, 3, 31))
    assert read(KNOWN.replace("2026-03-31", '"2026-03-31"') + "port = 12\n").ignored[0].port == 12


@pytest.mark.parametrize(
    "change",
    [
        "[weights]\nthreshold = 3.5\n",
        "[weights.ber_fold]\nraw = 1.9\n",
        '[bit_errors]\nset = "bring-up"\n',
        '[[purpose]]\nname = "storage"\nnodes = "^nfs"\n',
        KNOWN,
        KNOWN.replace("2026", "2027"),
        KNOWN.replace("cable", "other cable"),
    ],
)
def test_the_hash_covers_all_of_it(change, read):
    assert read(change).digest != POLICY.digest
    assert read(change).digest == read("# a remark\n" + change).digest
    assert read(change + "\n[[purpose]]\nname = 'x'\nnodes = 'y'\n").digest != read(change).digest


def test_saying_what_holds_anyway_changes_no_hash(read):
    assert read("[weights]\nthreshold = 3\n").digest == POLICY.digest


REFUSED = {
    "threshold = 4": ("1: threshold stands outside of a table", "[weights]"),
    "[weigths]": ("1: there is no table 'weigths'", "did you mean weights?"),
    "[weights]\n\ntreshold = 4": ("3: there is no limit or weight 'treshold'", "did you mean threshold?"),
    "[weights]\nzzz = 4": ("2: there is no limit or weight 'zzz'", "there are: ber_decades,"),
    "weights = 3": ("1: weights must be a table", "explain policy"),
    "[weights]\nphysical_weight = 3": ("2: physical_weight must be a table", ""),
    "[weights.physical_weight]\nrcv = 1": ("2: there is no physical_weight of 'rcv'", "port_rcv_errors"),
    '[weights]\nthreshold = "4"': ("2: threshold must be a number, not '4'", "without a policy it is 3.0"),
    "[weights]\nthreshold = true": ("2: threshold must be a number, not True", ""),
    "[weights]\nthreshold = 0": ("2: threshold must be more than 0", ""),
    "[weights]\nthreshold = nan": ("2: threshold must be more than 0", ""),
    "[weights]\nthreshold = inf": ("2: threshold must be more than 0", ""),
    f"[weights]\nthreshold = 1{'0' * 400}": ("2: threshold must be more than 0", ""),
    f"[weights]\nthreshold = 1{'0' * 5000}": ("this is not TOML", ""),
    "[weights]\nswap = -1": ("2: swap must be at least 0", ""),
    "[weights]\ncoverage_least = 90": ("2: coverage_least must be at least 0 and at most 1", ""),
    "[weights]\nreboot_downs = 2.5": ("2: reboot_downs must be a whole number", ""),
    '[bit_errors]\nset = "bringup"': ("2: there is no set of limits 'bringup'", "did you mean bring-up?"),
    "[bit_errors]\nset = 3": ("2: set must be text", ""),
    '[bit_errors."NDR"]\nraw = 1e-5': ("1: there is no row of limits 'NDR'", NDR),
    f'[bit_errors."{NDR}"]\npost = 1e-5': ("2: there is no ratio 'post'", "effective, raw, symbol"),
    f'[bit_errors."{NDR}"]\nraw = 2': ("2: raw must be a ratio between 0 and 1", ""),
    f'[bit_errors."{NDR}"]\nraw = false': ("2: raw must be a ratio between 0 and 1", ""),
    '[purpose]\nname = "x"': ("1: write [[purpose]], with two brackets", ""),
    "ignore = [3]": ("1: write [[ignore]], with two brackets", ""),
    '[[purpose]]\nname = "x"': ("1: a purpose needs nodes or leaves", ""),
    '[[purpose]]\nnodes = "x"': ("1: [[purpose]] needs name", ""),
    '[[purpose]]\nname = "x"\nnodes = "(nfs"': ("3: nodes is no regular expression", ""),
    '[[purpose]]\nname = "x"\nnodes = "y"\nleave_out = "yes"': ("4: leave_out must be true or false", ""),
    '[[ignore]]\nnode = "x"': ("1: [[ignore]] needs reason", "node, reason, owner, until"),
    KNOWN + KNOWN.replace("node", "nod"): ("7: there is no key 'nod'", "did you mean node?"),
    KNOWN + KNOWN.replace('"me"', '" "'): ("6: [[ignore]] needs owner", ""),
    KNOWN + KNOWN.replace('"me"', "3"): ("9: owner must be text", ""),
    KNOWN + "up_to = -1\n": ("6: up_to must be a number from 0", "leave it out"),
    KNOWN + 'up_to_per_hour = "few"\n': ("6: up_to_per_hour must be a number", "growth of a counter"),
    KNOWN.replace("2026-03-31", '"soon"'): ("5: until must be a day, not 'soon'", "until = 2026-03-31"),
    KNOWN.replace("2026-03-31", "2026-03-31T10:00:00Z"): ("5: until must be a day", ""),
    KNOWN + "port = -1": ("6: port must be a number from 0 to 255", ""),
    KNOWN + "port = true": ("6: port must be a number from 0 to 255", ""),
    KNOWN + 'rule = "linkdown"': ("6: there is no rule 'linkdown'", "did you mean link_down?"),
    "[weights]\nthreshold 4": ("2: this is not TOML", "key = value"),
    '[weights\nthreshold = "4': ("1: this is not TOML", ""),
    '[weights]\n"\\u001b[31m" = 1': ("2: there is no limit or weight '\\x1b[31m'", ""),
    "x = " + "[" * 5000: ("it is nested too deeply", ""),
}


@pytest.mark.parametrize("text", REFUSED, ids=[told[0][:60] for told in REFUSED.values()])
def test_what_is_not_understood_is_refused_with_line_and_cure(text, read):
    message, cure = REFUSED[text]
    with pytest.raises(BadPolicy) as refused:
        read(text)
    where, _, said = refused.value.message.partition("site.toml:")
    assert message in said
    assert where
    assert refused.value.message.isprintable()
    assert cure in refused.value.help
    assert refused.value.help


def test_a_file_that_cannot_be_read_is_refused(tmp_path, read):
    with pytest.raises(BadPolicy, match="No such file"):
        pipeline.read_policy(tmp_path / "missing.toml")
    with pytest.raises(BadPolicy, match="not text in UTF-8"):
        read(b"\xff\xfe[\x00")


def test_the_example_is_a_policy_that_uses_everything(read):
    made = read(EXAMPLE)
    assert (made.threshold, made.physical_weight["port_rcv_errors"]) == (4.0, 0.5)
    assert made.bit_error_limits[NDR] == {"effective": 1e-14, "raw": 2e-5, "symbol": 1e-14}
    assert [(item.name, item.left_out) for item in made.purposes] == [("storage", True), ("compute", False)]
    assert made.ignored[0].rule == "link_down"


def test_every_limit_and_weight_is_explained():
    told = {item.name: item for item in weight_fields()}
    assert set(told) == {item.name for item in fields(Policy)} - {"bit_error_limits", "purposes", "ignored"}
    assert all(item.meaning.endswith(".") and "  " not in item.meaning for item in told.values())
    assert told["threshold"].default == "3"
    assert all(name in explain_policy() for name in [*told, *ROWS, "[[ignore]]", "bring-up"])
