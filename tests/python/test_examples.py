"""Every example runs, as a program of its own; those whose library is missing are left out."""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
NEEDS = {"torch_sort": "torch", "moe_layer": "torch", "cupy_sort": "cupy", "jax_sort": "jax"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem)
def test_example(path):
    needs = NEEDS.get(path.stem)
    if needs and importlib.util.find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr


def blocks():
    """The ```python blocks of the pages on Python that are whole: those that import what they use."""
    pages = [FOLDER.parents[1] / "docs" / name for name in ("python.md", "from-torch.md")]
    parts = [part for page in pages for part in page.read_text(encoding="utf-8").split("```python\n")[1:]]
    return [part.split("```")[0] for part in parts if part.startswith("import")]


@pytest.mark.parametrize("code", blocks(), ids=lambda code: code.split(",")[0].split()[1])
def test_block_of_the_documentation(code):
    library = code.split(",")[0].split()[1]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    if '"cuda"' in code:
        torch = pytest.importorskip("torch")
        if not torch.cuda.is_available():
            pytest.skip("no GPU")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
