"""The wheel works where the checkout is not: version, demo with its samples, report with its templates."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import ibforensic

CHECKOUT = Path(__file__).resolve().parents[1]
FOUND = (0, 1)
"""Exit codes of a demo that worked: without and with suspects."""


def run(*command: str | Path, cwd: Path, codes: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    """Run a program outside the checkout and insist on its exit code."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    inherited["COLUMNS"] = "400"
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=inherited, capture_output=True, text=True, timeout=120
    )
    assert done.returncode in codes, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Return a wheel built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel")
    run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", folder, CHECKOUT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """Return the ``bin`` of an environment that has the wheel, and its dependencies from this one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "env", with_pip=False)
    binaries = folder / "env" / "bin"
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", binaries / "python")
    run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    dependencies = [entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))]
    (site / "dependencies.pth").write_text("\n".join(dependencies), "utf-8")
    return binaries


def test_the_wheel_holds_code_templates_and_samples(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert f"ibforensic-{ibforensic.__version__}-" in wheel.name
    assert "ibforensic/py.typed" in names
    assert any(name.startswith("ibforensic/templates/") and name.endswith(".j2") for name in names)
    assert "ibforensic/language/catalogues/ko/LC_MESSAGES/ibforensic.mo" in names
    samples = {path.relative_to(CHECKOUT) for path in CHECKOUT.glob("samples/**/*") if path.is_file()}
    assert {name for name in names if name.startswith("ibforensic/samples/")} == {
        f"ibforensic/{path.as_posix()}" for path in samples
    }
    assert not [name for name in names if name.startswith(("tests/", "bench/", "docs/"))]
    packed = {name for name in names if name.startswith("ibforensic/") and name.endswith(".py")}
    assert packed == {path.relative_to(CHECKOUT).as_posix() for path in CHECKOUT.glob("ibforensic/**/*.py")}


def test_the_code_that_runs_is_the_wheels(installed, tmp_path):
    done = run(installed / "python", "-c", "import ibforensic; print(ibforensic.__file__)", cwd=tmp_path)
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)


def test_the_man_page_lies_where_man_looks_for_that_of_an_environment(installed):
    page = installed.parent / "share" / "man" / "man1" / "ibforensic.1"
    assert page.read_text("utf-8") == (CHECKOUT / "docs" / "ibforensic.1").read_text("utf-8")


@pytest.fixture(params=["wheel", "checkout"])
def program(request, installed):
    """Return the command line that starts the program, as installed and from the checkout."""
    if request.param == "wheel":
        return (installed / "ibforensic",)
    return (sys.executable, "-m", "ibforensic")


def test_version(program, tmp_path):
    assert ibforensic.__version__ in run(*program, "--version", cwd=tmp_path).stdout


def test_demo_writes_the_report_it_names(program, tmp_path):
    done = run(*program, "demo", "--output", "report", cwd=tmp_path, codes=FOUND)
    named = re.findall(r"[\w./+-]+\.html", done.stdout + done.stderr)
    reports = {tmp_path / name for name in named}
    assert reports, done.stdout + done.stderr
    for report in reports:
        assert report.is_relative_to(tmp_path / "report")
        assert report.read_text("utf-8").lstrip().lower().startswith("<!doctype html>")
