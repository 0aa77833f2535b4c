"""Seeds, sizes and arrays that the tests share.

CW_SEED repeats a run; CW_CASES is the number of random cases of a test (2000; 10000 with CW_LONG).
"""

import os
import random

import pytest

SEED = int(os.environ.get("CW_SEED") or random.SystemRandom().randrange(2**32))
CASES = int(os.environ.get("CW_CASES") or (10000 if os.environ.get("CW_LONG") else 2000))


def pytest_report_header():
    return f"CW_SEED={SEED} CW_CASES={CASES}"


@pytest.fixture
def seed(request):
    """Another one for every test, the same for the same CW_SEED."""
    return [SEED, sum(map(ord, request.node.name))]


@pytest.fixture
def cases():
    return CASES
