"""Compares our rows of CSV with those of Python's csv module: csv_differential.py CSV_DUMP [FILES].

Random texts of cells, quotes, separators and line ends, well-formed and not. What we read must be what Python reads
(strict, line by line as it wants them); what we refuse Python refuses too, or it is a quote that is never closed.
"""
import csv
import io
import json
import random
import subprocess
import sys

PIECES = ["a", "bc", "é", "1.5", " ", "", '"', '""', ",", ";", "\t", "|", "\n", "\r\n", "\r", '"x"', '"x,y"', '"x""y"',
          '"two\nlines"', '"\r\n"', "-", "\\", "'"]


def well_formed(rng, separator):
    """Rows as Python's own writer writes them."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=rng.choice(["\n", "\r\n", "\r"]),
                        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    for _ in range(rng.randrange(1, 8)):
        writer.writerow(["".join(rng.choices(PIECES, k=rng.randrange(4))) for _ in range(rng.randrange(1, 6))])
    return out.getvalue()


def any_text(rng, separator):
    return "".join(rng.choices(PIECES + [separator] * 6 + ["\n"] * 3, k=rng.randrange(1, 30)))


def expected(text, separator):
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row]
    except csv.Error as error:
        return str(error)


def main():
    program, files = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    rng = random.Random(1)
    cases = []
    for i in range(files):
        separator = rng.choice(",;\t|")
        text = (well_formed if i % 2 else any_text)(rng, separator)
        cases.append((text or "a", separator))
    request = b"".join(b"%d %d\n%s" % (len(t.encode()), ord(s), t.encode()) for t, s in cases)
    answer = subprocess.run([program], input=request, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    assert len(answer) == len(cases), (len(answer), len(cases))
    refused = wrong = 0
    for (text, separator), line in zip(cases, answer):
        ours, python = json.loads(line), expected(text, separator)
        if "refused" in ours:
            refused += 1
            agree = isinstance(python, str)
        else:
            agree = ours["rows"] == python
        if not agree:
            wrong += 1
            print(repr(text), repr(separator), ours, python)
    print(f"{files} texts, {refused} refused by both, {wrong} read differently")
    assert refused > 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
