# Takes all of the largest heap.
while int(input()) > 0:
    sizes = list(map(int, input().split()))
    other = 1
    while other:
        heap = sizes.index(max(sizes))
        print(heap + 1, sizes[heap], flush=True)
        sizes[heap] = 0
        other, stones = map(int, input().split())
        if other:
            sizes[other - 1] -= stones
