"""python -m clearway info"""

import sys

import clearway


def info():
    print(f"clearway {clearway.__version__}, {clearway.__file__}")
    print(f"CUDA in this build: {'yes' if clearway.has_cuda else 'no'}")
    gpus = clearway.gpus()
    for number, name in enumerate(gpus):
        print(f"GPU {number}: {name}")
    if not gpus:
        print("GPUs: none that can be used")
    for name in ("numpy", "torch", "cupy", "jax"):
        try:
            print(f"{name}: {__import__(name).__version__}")
        except ImportError:
            print(f"{name}: not installed")


def main():
    if sys.argv[1:] == ["info"]:
        info()
        return 0
    print("usage: python -m clearway info", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
