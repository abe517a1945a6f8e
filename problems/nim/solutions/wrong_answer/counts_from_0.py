# Right strategy, but counts the heaps from 0.
from functools import reduce
from operator import xor

while int(input()) > 0:
    sizes = list(map(int, input().split()))
    other = 1
    while other:
        total = reduce(xor, sizes)
        heap = next(i for i, size in enumerate(sizes) if size ^ total < size)
        print(heap, sizes[heap] - (sizes[heap] ^ total), flush=True)
        sizes[heap] ^= total
        other, stones = map(int, input().split())
        if other:
            sizes[other - 1] -= stones
