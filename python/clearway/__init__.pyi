from os import PathLike
from typing import Any, Generic, Literal, NamedTuple, Sequence, TypeVar

A = TypeVar("A")  # an array: numpy.ndarray, torch.Tensor, cupy.ndarray, ..
B = TypeVar("B")

__version__: str
has_cuda: bool

class Sorted(NamedTuple, Generic[A]):
    values: A
    indices: A

class Pairs(NamedTuple, Generic[A, B]):
    keys: A
    values: B

class Partition(NamedTuple, Generic[A]):
    keys: A | None
    payloads: tuple[Any, ...]
    offsets: A | None
    padded: A | None
    index: A | None
    inverse: A | None

def sort(
    x: A, /, *, axis: int = -1, descending: bool = False, stable: bool = True,
    out: A | None = None, stream: Any = None,
) -> A: ...
def argsort(
    x: A, /, *, axis: int = -1, descending: bool = False, stable: bool = True,
    out: A | None = None, index_dtype: Any = None, stream: Any = None,
) -> A: ...
def sort_with_index(
    x: A, /, *, axis: int = -1, descending: bool = False, stable: bool = True,
    out: tuple[A, A] | None = None, index_dtype: Any = None, stream: Any = None,
) -> Sorted[A]: ...
def sort_pairs(
    keys: A, values: B, /, *, axis: int = -1, descending: bool = False, stable: bool = True,
    out: tuple[A, B] | None = None, stream: Any = None,
) -> Pairs[A, B]: ...
def take(
    x: A, indices: Any, /, *, out: A | None = None, check: bool | None = None, stream: Any = None
) -> A: ...
def scatter(
    x: A, indices: Any, /, *, out: A | None = None, check: bool | None = None, stream: Any = None
) -> A: ...
def shuffle(
    x: A, seed: int, /, *, inverse: bool = False, out: A | None = None, stream: Any = None
) -> A: ...
def gather_sum(
    x: A, index: A, weights: A | None = None, /, *, out: A | None = None, check: bool = False,
    stream: Any = None,
) -> A: ...
def transpose(x: A, /, *, out: A | None = None, stream: Any = None) -> A: ...
def partition(
    keys: A, /, buckets: int | None = None, *,
    by: Literal["label", "bits", "splitters", "hash"] = "label",
    splitters: A | None = None, first_bit: int = 0, multiplier: int = 0,
    payloads: Sequence[Any] = (), stable: bool = True, move_keys: bool = True,
    offsets: bool = True, pad_to: int = 0, index: bool = False, inverse: bool = False,
    index_dtype: Any = None, check: bool | None = None, stream: Any = None,
) -> Partition[A]: ...

class Plan:
    kind: str
    items: int
    itemsize: int
    table_bytes: int
    def __init__(
        self,
        index: Any,
        itemsize: int,
        *,
        gather: bool = False,
        any_gpu: bool = False,
        threads: int = 0,
    ) -> None: ...
    def __call__(self, x: A, /, *, out: A | None = None, stream: Any = None) -> A: ...
    def save(self, path: str | bytes | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | bytes | PathLike[str]) -> Plan: ...

def set_workspace_limit(bytes: int, /) -> None: ...
def set_threads(count: int, /) -> None: ...
def release() -> None: ...
def gpus() -> list[str]: ...
