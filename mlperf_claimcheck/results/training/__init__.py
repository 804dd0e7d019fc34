"""MLPerf Training result repositories: time to train, recomputed from the run logs."""

from mlperf_claimcheck.results.training.reader import (
    TrainingRepository,
    TrainingScore,
    Unscored,
    looks_like_training,
    read_training,
)

__all__ = ["TrainingRepository", "TrainingScore", "Unscored", "looks_like_training", "read_training"]
