"""`python -m judge.cli`: the same as `adjudge`."""

from judge.cli import main

main()
