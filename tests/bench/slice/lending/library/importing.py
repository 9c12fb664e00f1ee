"""Taking up the lists of other libraries: comma-separated files in whatever encoding they come."""

import csv
import io

from library.catalogue import Catalogue, Title

ENCODINGS = ("utf-8", "cp1252")


def decode(data: bytes) -> str:
    """The first encoding that fits; the last one always does."""
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def take_up(data: bytes, catalogue: Catalogue) -> list[str]:
    """Add every row; the complaints about those that were refused, with their line."""
    complaints = []
    for number, row in enumerate(csv.DictReader(io.StringIO(decode(data))), 2):
        try:
            catalogue.add(Title(row["isbn"], row["title"].strip(), row["author"].strip()))
        except (KeyError, ValueError) as error:
            complaints.append(f"line {number}: {error}")
    return complaints
