"""The judge: everything between a submission and its verdict."""
