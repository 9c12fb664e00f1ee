"""Readers: registration, passwords, suspension."""

import hashlib
import secrets
from dataclasses import dataclass

ROUNDS = 200_000


@dataclass
class Member:
    id: str
    name: str
    salt: bytes
    digest: bytes
    suspended: bool = False


def register(name: str, password: str) -> Member:
    """A new reader with a card number of their own."""
    salt = secrets.token_bytes(16)
    return Member(secrets.token_hex(4), name, salt, _derive(password, salt))


def is_password(member: Member, password: str) -> bool:
    """Compare in constant time, so that the answer does not tell how much was right."""
    return secrets.compare_digest(_derive(password, member.salt), member.digest)


def suspend(member: Member, owed: int) -> None:
    if owed > 5_000:
        member.suspended = True


def _derive(password: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS)
