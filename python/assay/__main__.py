"""python -m assay: runs the program, as the console script does."""

from .command import main

main()
