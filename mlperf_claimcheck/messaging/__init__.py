"""The MLPerf results messaging rules, one rule an entry."""
