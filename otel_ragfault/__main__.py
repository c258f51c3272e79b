"""``python -m otel_ragfault`` is the command ``ragfault``."""

from otel_ragfault.cli import main

if __name__ == "__main__":
    main()
