#!/usr/bin/env python3
"""words FILE: how often each word comes, as lines "COUNT WORD". A word is a run of ASCII letters, in small letters."""
import collections
import re
import sys

if len(sys.argv) != 2:
    sys.exit("usage: words FILE")
with open(sys.argv[1], "rb") as file:
    words = re.findall(b"[a-z]+", file.read().lower())  # lower() of bytes knows ASCII alone
for word, count in sorted(collections.Counter(words).items()):
    print(count, word.decode())
