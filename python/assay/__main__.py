"""python -m assay: the program, as the console script runs it."""

from .command import main

main()
