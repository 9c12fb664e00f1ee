"""The catalogue: titles, authors and the numbers of books."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Title:
    isbn: str
    name: str
    author: str


class Catalogue:
    def __init__(self) -> None:
        self._titles: dict[str, Title] = {}

    def add(self, title: Title) -> None:
        """Take a title up; a number with a wrong check digit is refused."""
        if not has_right_check_digit(title.isbn):
            raise ValueError(f"{title.isbn}: not a valid book number")
        self._titles[title.isbn] = title

    def by_author(self, author: str) -> list[Title]:
        wanted = author.casefold()
        return sorted(
            (title for title in self._titles.values() if wanted in title.author.casefold()), key=lambda each: each.name
        )


def has_right_check_digit(isbn: str) -> bool:
    """ISBN-13: digits weigh 1 and 3 in turn and add up to a multiple of ten."""
    digits = [int(digit) for digit in isbn if digit.isdigit()]
    return len(digits) == 13 and sum(digit * (1 + 2 * (n % 2)) for n, digit in enumerate(digits)) % 10 == 0
