"""The files that scores, reviews and rows are written to and read from."""
