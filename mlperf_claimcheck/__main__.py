"""`python -m mlperf_claimcheck`."""

from mlperf_claimcheck.cli.main import run

if __name__ == "__main__":
    run()
