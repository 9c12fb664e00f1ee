"""Which tokens are masked and which lookalikes survive. Every secret is made up here, so none stands in this file."""

from __future__ import annotations

import base64
import random
import string
import uuid
from pathlib import Path

import pytest
from trees import make

from coderag.config import Settings
from coderag.types import FileStat, SourceFile, WalkedFile
from coderag.walk import original_offsets, read
from coderag.walk.secrets import SHAPES, masked

WORD = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits


def made_up(length: int, alphabet: str = WORD) -> str:
    """The same every time; digits and both cases wherever the alphabet has them."""
    generator = random.Random(f"{length} {alphabet}")
    while True:
        value = "".join(generator.choice(alphabet) for _ in range(length))
        wanted = [
            kind
            for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase)
            if set(kind) & set(alphabet)
        ]
        if all(set(kind) & set(value) for kind in wanted) and len(set(value)) > min(length, 16) // 2:
            return value


def encoded(size: int) -> str:
    return base64.b64encode(random.Random(size).randbytes(size)).decode()


def in_lines(text: str) -> str:
    return "\n".join(text[at : at + 64] for at in range(0, len(text), 64))


def key_block(kind: str) -> str:
    return f"-----BEGIN {kind}-----\n{in_lines(encoded(900))}\n-----END {kind}-----"


JWT = ".".join("eyJ" + made_up(length) for length in (20, 60)) + "." + made_up(43)
SECRETS = {
    "AWS access key": "AKIA" + made_up(16, UPPER),
    "AWS session key": "ASIA" + made_up(16, UPPER),
    "GitHub personal": "ghp" + "_" + made_up(36),
    "GitHub OAuth": "gho" + "_" + made_up(36),
    "GitHub app": "ghs" + "_" + made_up(36),
    "GitHub refresh": "ghr" + "_" + made_up(76),
    "GitHub fine-grained": "github" + "_pat_" + made_up(22) + "_" + made_up(59),
    "GitLab": "glpat" + "-" + made_up(20),
    "Slack bot": "xox" + "b-" + made_up(12, string.digits) + "-" + made_up(24),
    "Slack user": "xox" + "p-" + made_up(11, string.digits) + "-" + made_up(32, HEX),
    "Slack app": "xapp" + "-1-" + made_up(11, UPPER) + "-" + made_up(13, string.digits) + "-" + made_up(64, HEX),
    "Stripe live": "sk" + "_live_" + made_up(24),
    "Stripe test": "sk" + "_test_" + made_up(99),
    "Stripe restricted": "rk" + "_live_" + made_up(24),
    "Stripe webhook": "whsec" + "_" + made_up(32),
    "Google API": "AIza" + made_up(35),
    "Google OAuth secret": "GOCSPX" + "-" + made_up(28),
    "Google OAuth token": "ya29" + "." + made_up(100),
    "JSON web token": JWT,
    "Discord": "MTk4" + made_up(20) + "." + made_up(6, WORD + "_-") + "." + made_up(38),
    "npm": "npm" + "_" + made_up(36),
    "PyPI": "pypi" + "-" + made_up(160),
    "RubyGems": "rubygems" + "_" + made_up(48, HEX),
    "OpenAI": "sk" + "-" + made_up(48),
    "OpenAI project": "sk" + "-proj-" + made_up(120, WORD + "_-"),
    "Anthropic": "sk" + "-ant-api03-" + made_up(93, WORD + "_-"),
    "Hugging Face": "hf" + "_" + made_up(34),
    "SendGrid": "SG" + "." + made_up(22) + "." + made_up(43),
    "Twilio": "SK" + made_up(32, HEX),
    "Mailgun": "key" + "-" + made_up(32, HEX),
    "Mailchimp": made_up(32, HEX) + "-us" + "12",
    "DigitalOcean": "dop" + "_v1_" + made_up(64, HEX),
    "Shopify": "shpat" + "_" + made_up(32, HEX),
    "Databricks": "dapi" + made_up(32, HEX),
    "Docker": "dckr" + "_pat_" + made_up(27),
    "Vault": "hvs" + "." + made_up(90),
    "Grafana": "glsa" + "_" + made_up(32) + "_" + made_up(8, HEX),
    "New Relic": "NRAK" + "-" + made_up(27, UPPER),
    "Linear": "lin" + "_api_" + made_up(40),
    "Square": "sq0" + "atp-" + made_up(22),
    "age": "AGE-SECRET" + "-KEY-1" + made_up(58, UPPER),
}
FILES = {
    "python": 'CLIENT = make("{}")  # used by tests\n',
    "yaml": "service:\n  value: {}\n  port: 80\n",
    "json": '{{\n  "value": "{}",\n  "port": 80\n}}\n',
    "shell": "export VALUE={}\ncurl -H X: $VALUE\n",
}
IN_CONTEXT = {
    "private key": (key_block("RSA " + "PRIVATE KEY"), encoded(900)[:40]),
    "private key without kind": (key_block("PRIVATE" + " KEY"), encoded(900)[:40]),
    "OpenSSH key": (key_block("OPENSSH " + "PRIVATE KEY"), encoded(900)[-64:-40]),
    "PGP key": (key_block("PGP " + "PRIVATE KEY BLOCK"), encoded(900)[:40]),
    "key in a literal": ('K = "' + key_block("EC " + "PRIVATE KEY").replace("\n", "\\n") + '"\n', encoded(900)[:40]),
    "cut key": ("-----BEGIN " + "PRIVATE KEY-----\n" + in_lines(encoded(300)) + "\n", encoded(300)[:40]),
    "AWS secret": ("aws_secret" + '_access_key = "' + made_up(40) + '"', made_up(40)),
    "AWS secret in a file": ("aws_secret" + "_access_key=" + made_up(40) + "\n", made_up(40)),
    "Azure": ("Account" + "Key=" + encoded(64) + ";EndpointSuffix=core", encoded(64)),
    "Telegram": ("bot" + made_up(9, string.digits) + ":AA" + made_up(33) + "/send", made_up(33)),
    "npm registry": ("//registry.example.org/:_auth" + "Token=" + made_up(36), made_up(36)),
    "Slack webhook": ("https://hooks.slack" + ".com/services/T0AB/B0CD/" + made_up(24), made_up(24)),
    "Discord webhook": ("https://discord.com/api" + "/webhooks/123456789012345678/" + made_up(68), made_up(68)),
    "PuTTY key": (
        "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate" + "-Lines: 2\n" + in_lines(encoded(72)) + "\nPrivate-MAC: 00\n",
        encoded(72)[:40],
    ),
    "PuTTY key of Windows": ("Private" + "-Lines: 1\r\n" + encoded(36) + "\r\nPrivate-MAC: 00\r\n", encoded(36)),
    "URL password": ("postgres://app:" + made_up(16) + "@db/main", made_up(16)),
    "bearer": ("Authorization: Bearer " + made_up(40), made_up(40)),
    "password": ('password = "' + made_up(14, WORD + "!#%") + '"', made_up(14, WORD + "!#%")),
    "token": ("api_token: '" + made_up(32) + "'", made_up(32)),
    "hex key": ('API_KEY = "' + made_up(32, HEX) + '"', made_up(32, HEX)),
    "unquoted": ("CLIENT_SECRET=" + made_up(32) + "\n", made_up(32)),
    "json": ('{"client-secret": "' + made_up(24) + '"}', made_up(24)),
    "go": ('apiKey := "' + made_up(24) + '"', made_up(24)),
    "ruby": (':secret_key_base => "' + made_up(64, HEX) + '"', made_up(64, HEX)),
}
SHA1, SHA256, MD5 = made_up(40, HEX), made_up(64, HEX), made_up(32, HEX)
LOOKALIKES = [
    f'COMMIT = "{SHA1}"',
    f"commit {SHA1}",
    f'sha256 = "{SHA256}"',
    f"sha256:{SHA256}",
    f'"integrity": "sha512-{encoded(64)}"',
    f'PASSWORD_HASH = "{SHA256}"',
    f'token_sha1: "{SHA1}"',
    f'ETAG = "{MD5}"',
    f'id = "{uuid.UUID(int=random.Random(7).getrandbits(128))}"',
    f'TOKEN_ID = "{uuid.UUID(int=random.Random(8).getrandbits(128))}"',
    f'PICTURE = "{encoded(60)}"',
    f'data = b"{encoded(1200)}"',
    "from sk-learn import x",
    "pip install scikit-learn sk-video sk-dist",
    '<div class="sk-folding-cube-loader sk-circle-fade-dot sk-cube-grid-animation">',
    ".sk-fading-circle-with-long-name-1 { color: red }",
    "task-runner-configuration-with-a-long-name",
    "risk-assessment-of-the-whole-portfolio-2024",
    'api_key = "your-api-key-here"',
    'api_key = "YOUR_API_KEY"',
    'api_key = "<insert your key>"',
    'password = "xxxxxxxxxxxxxxxx"',
    'password = "****************"',
    'token = "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
    'token = "ghp_your_token_here"',
    'secret = "changeme-Please1!"',
    'password = "password"',
    'password = "hunter2hunter2"',
    'password = os.environ["PASSWORD_2"]',
    'password: "${DATABASE_PASSWORD_2A}"',
    'password: "{{ vault.Password2 }}"',
    'password = "%(DB_Password1)s"',
    'token = getToken("Access", 2)',
    "token = parseV2TokenFromHeader",
    "access_token = response.json()['Access2Token']",
    'token_url = "https://id.example.org/oauth2/Token?v=2"',
    'secret_name = "projects/Main1/secrets/Db-2"',
    'password_field = "Form1:Login2:passwordField"',
    'PASSWORD_PATTERN = "^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9!@#]{8,}$"',
    'TOKEN_TYPE = "urn:ietf:params:oauth:token-type:jwt2"',
    'message = "Password must have 8 characters, 1 Digit!"',
    "password: Passw0rd",
    'tokenizer = "cl100k_base"',
    'tokens = ["The1", "quick2", "Brown3"]',
    'SECRET_QUESTION = "What is your Mother2 name?"',
    "-----BEGIN PUBLIC KEY-----\n" + in_lines(encoded(300)) + "\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\n" + in_lines(encoded(900)) + "\n-----END CERTIFICATE-----",
    'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):\n    return load(line)',
    "ssh-rsa AAAAB3NzaC1yc2E" + made_up(300) + " me@host",
    "git@github.com:organisation/Repository2.git",
    "https://user:password@example.com/path",
    "redis://localhost:6379/0@cache",
    "SKILL_LEVELS_OF_ALL_EMPLOYEES_IN_THE_COMPANY",
    "AKIAtools and ASIAN markets",
    "eyJust.a.name",
    "npm_config_registry_and_some_other_long_name",
    "hf_hub_download_with_a_rather_long_function_name",
    "pypi-server and pypi-mirror",
    "ghp_" + "is_the_prefix_of_a_token",
    "x = 0x" + made_up(32, HEX),
    "Bearer authentication is described in the next chapter",
    "basic authentication-with-a-header",
    "Private-Lines: 12 are written below the header",
    'version = "Node-exporter-of-the-main-cluster.v1.2.3-alpha.with-a-rather-long-suffix"',
    "import Main_module_of_this_package.helper.A_long_class_name_of_the_package",
    'color = "#a1b2c3"; key-frames-of-the-animation-12',
]


def test_more_than_25_shapes_and_50_lookalikes() -> None:
    assert len(SHAPES) > 25
    assert len(SECRETS) + len(IN_CONTEXT) > 50
    assert len(LOOKALIKES) > 50


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", SECRETS)
def test_token_is_masked_in_every_kind_of_file(name: str, kind: str) -> None:
    text = FILES[kind].format(SECRETS[name])
    result, count = masked(text.encode())
    assert count == 1
    assert result.decode() == FILES[kind].format("*" * len(SECRETS[name]))


@pytest.mark.parametrize("name", IN_CONTEXT)
def test_secret_known_by_what_is_around_it_is_masked(name: str) -> None:
    text, secret = IN_CONTEXT[name]
    result, count = masked(text.encode())
    assert count == 1
    assert secret.encode() not in result
    assert len(result) == len(text.encode())
    assert result.count(b"\n") == text.count("\n")
    assert result.count(b'"') == text.count('"')


@pytest.mark.parametrize("text", LOOKALIKES)
def test_lookalike_survives(text: str) -> None:
    assert masked(text.encode()) == (text.encode(), 0)


def test_one_secret_that_fits_two_shapes_is_counted_once() -> None:
    text = f'token = "{SECRETS["GitHub personal"]}"\nother = "{SECRETS["npm"]}"\n'
    assert masked(text.encode())[1] == 2


def test_read_masks_the_text_and_leaves_the_data(tmp_path: Path) -> None:
    text = f"# caf\xe9\nkey = '{SECRETS['Stripe live']}'\nlast = 1\n"
    for encoding, mark in (("utf-8", b""), ("latin-1", b""), ("utf-16-le", b"\xff\xfe")):
        data = mark + text.encode(encoding)
        make(tmp_path, {"a.py": data})
        found = read(tmp_path, WalkedFile("a.py", FileStat(0, 0, 0, 0)), Settings(), "python")
        assert isinstance(found, SourceFile)
        assert (found.secrets, found.data, len(found.text)) == (1, data, len(text.encode()))
        assert SECRETS["Stripe live"].encode() not in found.text
        assert data[original_offsets(found)(found.text.index(b"last")) :] == "last = 1\n".encode(encoding)
