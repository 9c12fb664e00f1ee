"""The names that are left out without anyone saying so: tables, and the functions that look into them.

Three kinds. What a package manager or a tool put there (never source of this project, tracked or not). What a build
made (a name such as `build` or `target` may also be a package of real source; a tracked file says that it is). What
holds secrets. Names only: no content, no disk.
"""

from __future__ import annotations

INSTALLED_DIRECTORIES = {
    "node_modules": "installed packages",
    "bower_components": "installed packages",
    "jspm_packages": "installed packages",
    "site-packages": "installed packages",
    "elm-stuff": "installed packages",
    ".venv": "virtual environment",
    ".virtualenv": "virtual environment",
    ".hg": "version control",
    ".svn": "version control",
    ".jj": "version control",
    ".bzr": "version control",
    "CVS": "version control",
    "__pycache__": "cache",
    ".mypy_cache": "cache",
    ".pytest_cache": "cache",
    ".ruff_cache": "cache",
    ".hypothesis": "cache",
    ".ipynb_checkpoints": "cache",
    ".tox": "virtual environment",
    ".nox": "virtual environment",
    ".gradle": "cache",
    ".terraform": "installed packages",
    ".parcel-cache": "cache",
    ".turbo": "cache",
    ".nyc_output": "build output",
    ".next": "build output",
    ".nuxt": "build output",
    ".svelte-kit": "build output",
    ".dart_tool": "build output",
    ".stack-work": "build output",
    ".zig-cache": "build output",
    "zig-cache": "build output",
    "DerivedData": "build output",
}
OUTPUT_DIRECTORIES = {
    "build": "build output",
    "dist": "build output",
    "target": "build output",
    "out": "build output",
    "_build": "build output",
    "dist-newstyle": "build output",
    "zig-out": "build output",
    "cmake-build-debug": "build output",
    "cmake-build-release": "build output",
    "htmlcov": "build output",
    "venv": "virtual environment",
}
OUTPUT_ENDINGS = (".egg-info", ".dist-info")
ENVIRONMENT_MARKER = "pyvenv.cfg"
OWN_ENDING = (".coderag.json", ".coderag.html")
"""Records of payloads, the schema of their layers, pages about them: never source of the project that they lie in."""
LOCK_FILES = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
        "deno.lock",
        "poetry.lock",
        "Pipfile.lock",
        "uv.lock",
        "pdm.lock",
        "pixi.lock",
        "pylock.toml",
        "conda-lock.yml",
        "Cargo.lock",
        "Gemfile.lock",
        "gems.locked",
        "composer.lock",
        "go.sum",
        "go.work.sum",
        "flake.lock",
        "mix.lock",
        "rebar.lock",
        "pubspec.lock",
        "Podfile.lock",
        "Cartfile.resolved",
        "Package.resolved",
        "packages.lock.json",
        "paket.lock",
        "project.assets.json",
        "gradle.lockfile",
        "buildscript-gradle.lockfile",
        "stack.yaml.lock",
        "cabal.project.freeze",
        "shard.lock",
        "MODULE.bazel.lock",
        "Chart.lock",
        ".terraform.lock.hcl",
    }
)

_SECRET_DIRECTORIES = frozenset({".ssh", ".gnupg"})
_SECRET_NAMES = frozenset(
    {
        ".env",
        ".envrc",
        ".netrc",
        "_netrc",
        ".pgpass",
        ".my.cnf",
        ".npmrc",
        ".pypirc",
        ".htpasswd",
        ".git-credentials",
        ".dockercfg",
        ".dockerconfigjson",
        ".vault-token",
        ".vault_pass",
        ".s3cfg",
        ".boto",
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ecdsa_sk",
        "id_ed25519",
        "id_ed25519_sk",
        "credentials",
        "credentials.json",
        "client_secret.json",
        "service-account.json",
        "service_account.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "secrets.toml",
        "secrets.env",
        "terraform.tfvars",
        "terraform.tfvars.json",
        "kubeconfig",
    }
)
_SECRET_ENDINGS = (
    ".pem",
    ".key",
    ".p8",
    ".p12",
    ".pfx",
    ".pkcs12",
    ".jks",
    ".keystore",
    ".kdb",
    ".kdbx",
    ".ppk",
    ".ovpn",
    ".tfstate",
    ".tfstate.backup",
    ".auto.tfvars",
    ".mobileprovision",
    ".keychain",
)
_HARMLESS_PARTS = frozenset(
    {"example", "examples", "sample", "template", "tmpl", "dist", "default", "defaults", "schema"}
)


def installed_or_output(name: str, *, tracked: bool) -> str:
    """What a directory of this name holds that is not source; "" where it is source for all that its name says."""
    if name in INSTALLED_DIRECTORIES:
        return INSTALLED_DIRECTORIES[name]
    if tracked:
        return ""
    return "build output" if name.endswith(OUTPUT_ENDINGS) else OUTPUT_DIRECTORIES.get(name, "")


def is_secret_directory(name: str) -> bool:
    """Whether a directory of this name holds keys and credentials."""
    return name in _SECRET_DIRECTORIES


def is_secret_file(name: str) -> bool:
    """Whether a file of this name holds secrets: `.env`, `id_rsa`, `*.pem`; not `.env.example`, not `secret_manager.py`."""
    lower = name.lower()
    named = lower in _SECRET_NAMES or lower.endswith(_SECRET_ENDINGS) or lower.startswith(".env.")
    named = named or (lower.endswith(".env") and lower.count(".") == 1)
    return named and _HARMLESS_PARTS.isdisjoint(lower.replace("-", ".").replace("_", ".").split("."))
