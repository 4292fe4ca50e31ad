"""Prints the samples that crates/audit/tests/it/draw.rs holds, drawn without any library: ChaCha20 and the selection are
written out here, apart from the code under test."""

import hashlib
import struct

PROJECTS = {"ape": (30, 4, 3), "bee": (90, 1, 0), "cat": (3, 0, 1)}
# What a budget of 24 and of 13 gives each of them.
DRAWN = {24: {"ape": 8, "bee": 13, "cat": 3}, 13: {"ape": 5, "bee": 5, "cat": 3}}


def words(key):
    def rotate(value, by):
        return ((value << by) | (value >> (32 - by))) & 0xFFFFFFFF

    def quarter(s, a, b, c, d):
        for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            s[z] = rotate(s[z] ^ s[x], by)

    counter = 0
    while True:
        start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter, 0, 0, 0]
        state = list(start)
        for _ in range(10):
            for place in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)):
                quarter(state, *place)
            for place in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
                quarter(state, *place)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(state, start))
        counter += 1


class Stream:
    def __init__(self, purpose, seed, of):
        self.words = words(hashlib.sha256(f"{purpose}\n{seed}\n{of}\n".encode()).digest())

    def below(self, bound):
        if bound < 2:
            return 0
        fair = 2**32 // bound * bound
        return next(word for word in self.words if word < fair) % bound

    def draw(self, things, count):
        return [things.pop(self.below(len(things))) for _ in range(min(count, len(things)))]


def sample(size, seed):
    drawn = []
    for project, (population, differential, trajectory) in sorted(PROJECTS.items()):
        stream = Stream("polc audit draw 1", seed, project)
        first = stream.draw(list(range(1, differential + 1)), 1)
        first += stream.draw(list(range(differential + 1, differential + trajectory + 1)), 1)
        left = [number for number in range(1, population + 1) if number not in first]
        rest = stream.draw(left, DRAWN[size][project] - len(first))
        drawn += [(project[0], number) for number in sorted(first + rest)]
    return drawn


for seed in (0, 1, 42, 2**64 - 1):
    print(seed, " ".join(f"{name}{number}" for name, number in sample(24, seed)))
for rater in ("Ada", "Bob"):
    numbers = sample(13, 42)
    order = Stream("polc audit order 1", 42, rater).draw(numbers, len(numbers))
    print(rater, " ".join(str(number) for _, number in order))
