from functools import reduce
from operator import xor


def play(sizes: list[int]) -> None:
    while True:
        total = reduce(xor, sizes)
        heap = next(i for i, size in enumerate(sizes) if size ^ total < size)
        print(heap + 1, sizes[heap] - (sizes[heap] ^ total), flush=True)
        sizes[heap] ^= total
        other, stones = map(int, input().split())
        if other == 0:
            return
        sizes[other - 1] -= stones


while int(input()) > 0:
    play(list(map(int, input().split())))
