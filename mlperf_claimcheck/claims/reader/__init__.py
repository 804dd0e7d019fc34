"""Reading a claim's text: characters to tokens, tokens to figures and names, figures and names to assertions."""

from mlperf_claimcheck.claims.reader.read import read_claim

__all__ = ["read_claim"]
