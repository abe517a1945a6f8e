"""Scores, exports and reviews: what a benchmark's paper and scripts read."""
