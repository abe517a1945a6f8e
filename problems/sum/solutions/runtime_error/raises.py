# input() gives one line, and int() of "2 -5" raises ValueError.
a = int(input())
b = int(input())
print(a + b)
