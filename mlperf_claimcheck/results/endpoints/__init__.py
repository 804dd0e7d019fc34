"""MLPerf Endpoints results: curves of points, from the published v0.7 repository form and the v1.0 bundle."""

from mlperf_claimcheck.results.endpoints.model import EndpointCurve, EndpointPoint, EndpointRepository
from mlperf_claimcheck.results.endpoints.reader import looks_like_endpoints, read_endpoints

__all__ = ["EndpointCurve", "EndpointPoint", "EndpointRepository", "looks_like_endpoints", "read_endpoints"]
