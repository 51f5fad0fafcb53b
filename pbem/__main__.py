"""`python -m pbem` is the same as `pbem`."""

from pbem.cli import start

if __name__ == "__main__":
    start()
