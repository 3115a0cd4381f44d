"""Run the command line: ``python -m ibforensic``."""

from ibforensic.cli.main import main

main()
