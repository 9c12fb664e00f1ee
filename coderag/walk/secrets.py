"""Tokens, keys and passwords in the text of a file, replaced by asterisks of the same length before anything is stored.

A table of shapes that issuers document, and a few general ones (an assignment to something called a password or token, a
password in a URL) that count only where the value looks random. Every shape starts from a plain word, and words are
what a file is searched for: only where one stands is an expression tried, so an ordinary file costs a few scans for
words. Line feeds, quotes and backslashes inside a secret stay, so that lines and literals do. What is obviously a
placeholder, a hash or an identifier survives. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

_DIGITS, _UPPER, _LOWER, _OTHER = (re.compile(kind) for kind in (rb"[0-9]+", rb"[A-Z]", rb"[a-z]", rb"[^0-9A-Za-z_.-]"))
_HEXADECIMAL = re.compile(rb"[0-9a-fA-F]{32,128}")
_IDENTIFIER = re.compile(rb"[A-Za-z_$]+(?:[.:/-]+[A-Za-z_$]+)*[0-9]{0,3}|[A-Z0-9_]+|[a-z0-9_.-]+")
_INTEGRITY = re.compile(rb"(?i:sha(?:1|256|384|512)[-:]).*")
_HARMLESS = re.compile(
    rb"(?i)example|placeholder|your|change.?me|dummy|sample|xxxx|\*\*\*|\.\.\.|<[a-z/]|\$[{(a-z]|\{\{|%[({s]|#\{"
    rb"|\{[a-z_.0-9]*\}|redacted|insert|abcdef|123456|lorem|^[a-z+]+://|process\.env|getenv|^[/.]|\(.*\)|^data:|\s"
    rb"|a-z|0-9|\\[dwnrt]|\?[:=!]|[a-z]\($"
)
_REPEATED = re.compile(rb"[xX*.0_-]+")
_VISIBLE = re.compile(rb"[^\s\"'`\\]")


def _always(value: bytes) -> bool:
    return True


def _is_mixed(value: bytes) -> bool:
    """Digits and letters of both cases: what tells `sk-…` keys from class names such as `sk-folding-cube-loader`."""
    return bool(_DIGITS.search(value) and _UPPER.search(value) and _LOWER.search(value))


def _looks_random(value: bytes) -> bool:
    """Whether a value has the mixture and the entropy of something generated and is no known kind of harmless value."""
    if _HARMLESS.search(value) or _INTEGRITY.fullmatch(value):
        return False
    if _HEXADECIMAL.fullmatch(value):
        return _entropy(value) >= 3.0
    if _IDENTIFIER.fullmatch(value):
        return False
    kinds = sum(bool(kind.search(value)) for kind in (_DIGITS, _UPPER, _LOWER, _OTHER))
    scattered = len(_DIGITS.findall(value)) > 1 or _OTHER.search(value) is not None
    return kinds >= 3 and scattered and _entropy(value) >= (3.0 if len(value) < 16 else 3.5)


def _entropy(value: bytes) -> float:
    """Shannon's entropy of the bytes, in bits per byte."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


@dataclass(frozen=True, slots=True)
class SecretShape:
    """A kind of secret.

    `pattern`, an expression, is tried where one of `words` stands, `back` bytes before it; the group that matched is masked, or all where
    there is none. Words are looked for in the text as `fold`, a table of 256 bytes, translates it, so that one scan finds what would take a
    dozen. `counts` has the last say.
    """

    name: str
    words: tuple[bytes, ...]
    pattern: bytes
    counts: Callable[[bytes], bool] = _always
    fold: bytes | None = None
    back: int = 0


def _shape(
    name: str,
    words: bytes,
    pattern: bytes,
    counts: Callable[[bytes], bool] = _always,
    *,
    fold: bytes | None = None,
    back: int = 0,
) -> SecretShape:
    return SecretShape(name, tuple(words.split(b"|")), pattern, counts, fold, back)


def _token(name: str, words: bytes, rest: bytes, counts: Callable[[bytes], bool] = _always) -> SecretShape:
    """A token that begins with one of the words and does not go on after `rest`."""
    heads = b"|".join(re.escape(word) for word in words.split(b"|"))
    return _shape(name, words, rb"(?<![A-Za-z0-9_])(?:" + heads + rb")" + rest + rb"(?![A-Za-z0-9_])", counts)


_ASSIGNED = rb"[\"']?[ \t]{0,8}(?::=|=>|[:=])\s{0,8}"
_SECRET_WORDS = (
    b"passw|passphrase|secret|token|credential|apikey|api_key|accesskey|access_key"
    b"|auth_key|private_key|privatekey|encryption_key|signing_key"
)
# What a name goes on with when its value is about a secret and not one.
_NOT_ABOUT_IT = (
    rb"(?![A-Za-z0-9_-]{0,30}(?i:hash|sha|md5|digest|sum|fingerprint|name|url|uri|path|file|type"
    rb"|pattern|regex|format|field|label|hint|header))"
)
_ANY_CASE = bytes(ord("_") if chr(code) in "-." else code for code in range(256)).lower()
"""In lower case, "-" and "." as "_"."""
_AFTER_SIGN = bytes.maketrans(b"\"'= MNO", b"====MMM")
"""A quote, a blank and an equals sign are one, and so are the letters that tokens begin with."""

SHAPES: tuple[SecretShape, ...] = (
    _shape(
        "private key",
        b"-----BEGIN ",
        rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----((?:[A-Za-z0-9+/=\s\\:,\"'.()_]|-(?!-)){64,65536}+)-----END",
    ),
    _shape(
        "private key without an end",
        b"-----BEGIN ",
        rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----((?:[\s\"'+]|\\[nr])*+(?:[A-Za-z0-9+/=]{40,}+\s*+)++)",
    ),
    _shape(
        "PuTTY private key",
        b"Private-Lines:",
        rb"Private-Lines:[ \t]*[0-9]{1,3}[ \t]*\r?\n((?:[A-Za-z0-9+/=]{4,128}[ \t\r]{0,4}(?:\n|\Z)){1,200}+)",
    ),
    _token("AWS access key", b"AKIA|ASIA", rb"[A-Z0-9]{16}"),
    _shape(
        "AWS secret key",
        b"aws",
        rb"(?i:aws)[A-Za-z0-9_. -]{0,20}(?i:secret|key)[A-Za-z0-9_. -]{0,20}"
        + _ASSIGNED
        + rb"[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _is_mixed,
        fold=_ANY_CASE,
    ),
    _token("GitHub token", b"gh", rb"[pousr]_[A-Za-z0-9]{30,255}"),
    _token("GitHub fine-grained token", b"github_pat_", rb"[A-Za-z0-9_]{40,255}"),
    _token("GitLab token", b"gl", rb"(?:pat|ptt|dt|rt)-[A-Za-z0-9_.-]{20,255}"),
    _token("Slack token", b"xox|xapp", rb"[a-z]?[.-][A-Za-z0-9.-]{10,250}"),
    _shape(
        "Slack webhook", b"hooks.slack.com/", rb"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9_/+-]{30,120})"
    ),
    _shape("Stripe key", b"k_live_|k_test_", rb"(?<![A-Za-z0-9_])[rsp]k_(?:live|test)_[A-Za-z0-9]{16,247}", back=1),
    _token("Stripe webhook secret", b"whsec_", rb"[A-Za-z0-9+/=]{24,100}"),
    _token("Google API key", b"AIza", rb"[A-Za-z0-9_-]{35}"),
    _token("Google OAuth secret", b"GOCSPX-", rb"[A-Za-z0-9_-]{20,40}"),
    _token("Google OAuth token", b"ya29.", rb"[A-Za-z0-9_-]{30,1000}"),
    _shape(
        "JSON web token",
        b"eyJ",
        rb"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,8192}+\.eyJ[A-Za-z0-9_-]{10,8192}+\.[A-Za-z0-9_-]{10,1024}",
    ),
    _shape(
        "Discord token",
        b"=M",
        rb"[\"'= ]([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45})(?![A-Za-z0-9_.-])",
        _is_mixed,
        fold=_AFTER_SIGN,
    ),
    _shape("Discord webhook", b"/api/webhooks/", rb"/api/webhooks/[0-9]{15,20}/([A-Za-z0-9_-]{60,80})"),
    _token("npm token", b"npm_", rb"[A-Za-z0-9]{36}"),
    _shape("npm registry token", b"_authToken", rb"_authToken[ \t]{0,3}=[ \t]{0,3}\"?([A-Za-z0-9+/=_-]{20,200})"),
    _token("PyPI token", b"pypi-", rb"[A-Za-z0-9_-]{50,500}"),
    _token("RubyGems token", b"rubygems_", rb"[a-f0-9]{48}"),
    _shape(
        "OpenAI or Anthropic key",
        b"sk-",
        rb"(?<![A-Za-z0-9_-])sk-(?:[a-z]{2,12}[0-9]{0,2}-){0,2}[A-Za-z0-9_-]{20,250}",
        _is_mixed,
    ),
    _token("Hugging Face token", b"hf_|api_org_", rb"[A-Za-z0-9]{34}"),
    _token("SendGrid key", b"SG.", rb"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    _token("Twilio key", b"SK", rb"[0-9a-f]{32}"),
    _token("Mailgun key", b"key-", rb"[0-9a-f]{32}"),
    _shape("Mailchimp key", b"-us", rb"(?<![A-Za-z0-9_])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9_])", back=32),
    _shape("Telegram token", b":AA", rb"(?<=[0-9]{8}):(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_])"),
    _shape("Azure storage key", b"AccountKey=", rb"AccountKey=([A-Za-z0-9+/]{80,90}={0,2})"),
    _shape("DigitalOcean token", b"_v1_", rb"(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9_])", back=3),
    _token("Shopify token", b"shp", rb"(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _token("Databricks token", b"dapi", rb"[0-9a-f]{32}(?:-[0-9])?"),
    _token("Docker token", b"dckr_", rb"[po]at_[A-Za-z0-9_-]{24,64}"),
    _token("Vault token", b"hv", rb"[sbr]\.[A-Za-z0-9_-]{24,300}"),
    _token("Grafana token", b"glsa_|glc_", rb"[A-Za-z0-9+/=_]{32,400}"),
    _token("New Relic key", b"NRAK-", rb"[A-Z0-9]{27}"),
    _token("Linear key", b"lin_api_", rb"[A-Za-z0-9]{40}"),
    _token("Square token", b"sq0", rb"(?:atp|csp)-[A-Za-z0-9_-]{22,50}"),
    _token("age key", b"AGE-SECRET-KEY-1", rb"[A-Z0-9]{58}"),
    _shape(
        "password in a URL",
        b"://",
        rb"(?<=[a-z0-9+])://[^\s:@/\"'<>\x7f-\xff]{0,100}:([^\s:@/\"'<>\x7f-\xff]{6,200})@",
        _looks_random,
    ),
    _shape(
        "bearer token",
        b"bearer |basic ",
        rb"[A-Za-z]{5,6} {1,3}([A-Za-z0-9+/=_.~-]{20,4096})",
        _looks_random,
        fold=_ANY_CASE,
    ),
    _shape(
        "assigned secret",
        _SECRET_WORDS,
        _NOT_ABOUT_IT
        + rb"[A-Za-z0-9._-]{5,40}+"
        + _ASSIGNED
        + rb"(?:[fbru]?[\"'`]([!#-&(-_a-~]{10,300})[\"'`]|([A-Za-z0-9+/=_!@#%^&*~-]{16,300})[ \t]*(?=[\r\n]|\Z))",
        _looks_random,
        fold=_ANY_CASE,
    ),
)
_FOLDS = {shape.fold for shape in SHAPES}


def masked(text: bytes) -> tuple[bytes, int]:
    """The text with every secret replaced by asterisks, byte for byte, and how many there were."""
    found = sorted(_secrets(text))
    if not found:
        return text, 0
    parts: list[bytes] = []
    at = count = 0
    for start, end in found:
        if end <= at:
            continue
        count += start >= at
        start = max(start, at)
        parts += [text[at:start], _VISIBLE.sub(b"*", text[start:end])]
        at = end
    return b"".join([*parts, text[at:]]), count


def _secrets(text: bytes) -> Iterator[tuple[int, int]]:
    folded = {fold: text.translate(fold) for fold in _FOLDS}
    for shape in SHAPES:
        searched = folded[shape.fold]
        for word in shape.words:
            at = searched.find(word)
            while at >= 0:
                match = _compiled(shape.pattern).match(text, max(at - shape.back, 0))
                if match is not None and _counts(shape, match.group(match.lastindex or 0)):
                    yield match.span(match.lastindex or 0)
                at = searched.find(word, at + 1)


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    """Compiled when its words first stand somewhere: all of them take 50 ms, which a search that reads no file need not wait for."""
    return re.compile(pattern)


def _counts(shape: SecretShape, value: bytes) -> bool:
    after_prefix = value[value.find(b"_", 0, 12) + 1 :]
    return not _REPEATED.fullmatch(after_prefix) and shape.counts(value)
