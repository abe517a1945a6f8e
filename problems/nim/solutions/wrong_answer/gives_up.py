# Reads the heaps, and leaves.
input()
input()
