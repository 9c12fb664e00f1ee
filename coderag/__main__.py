"""`python -m coderag` is the command `coderag`."""

import sys

from coderag.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
