# Goes up and down through strips of the map.
number = int(input())
places = [tuple(map(int, input().split())) for _ in range(number)]
strips = max(1, round((number / 3) ** 0.5))


def key(place: int) -> tuple[int, int]:
    x, y = places[place]
    strip = x * strips // 10_001
    return strip, -y if strip % 2 else y


for place in sorted(range(number), key=key):
    print(place + 1)
