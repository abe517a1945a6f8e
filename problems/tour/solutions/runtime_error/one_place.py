# Begins at the place that is nearest to another one, and there may be no other one.
from math import dist

number = int(input())
places = [tuple(map(int, input().split())) for _ in range(number)]
others = set(range(number))
_, here = min((dist(places[a], places[b]), a) for a in others for b in others if a != b)
while True:
    print(here + 1)
    others.remove(here)
    if not others:
        break
    here = min(others, key=lambda other: dist(places[here], places[other]))
