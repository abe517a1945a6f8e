# Names the first place again at the end, though that is understood.
number = int(input())
print(*range(1, number + 1), 1)
