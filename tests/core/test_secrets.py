"""The secret scanner on the labelled set, on generated fakes, on traps, and on anything at all."""

from __future__ import annotations

import base64
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.secrets import FORMATS, redact, scan
from memdir.core.secrets.checks import crc32_base62_tail, entropy
from memdir.core.secrets.formats import compiled
from memdir.core.text import apply_edits
from tests.conftest import DATA
from tests.core.fake_secrets import Fakes

CONTEXTS = [
    "{}",
    "the key is {} for now",
    "`{}`",
    'KEY="{}"',
    "(see {})",
    "密钥：{}。",
    "- token: {}\n- next",
    "| a | {} |",
    "> {}",
]

HARMLESS = [
    "token: ${{ secrets.DEPLOY }}", "password: $DB_PASSWORD", "password: {{ vault_pw }}", "secret: <paste here>", "api_key=YOUR_API_KEY_HERE_PLEASE",
    "api key: see 1Password, vault 'Prod'", "password: ********", "password: op://Prod/db/password", "PASS: 12 tests in 3.4s", "pass: login_flow_2",
    "the password is stored in the vault since 2026-03-05", "password is at least 12 characters with 1 symbol", "password hash: argon2id",
    "passwords are hashed with bcrypt-12", "passport number rules: 9 digits", "bypass: use --no-verify on CI runs", "token type: bearer",
    "max_tokens: 200000", "tokenizer: cl100k_base", "tokens per minute: 100000-200000", "secret_name: prod/db/password-v2", "key: value",
    "cache key: user:1234:profile:v2", "primary_key: order_line_item_id_v2", "sort key = created_at#2026-03-05", "public key: ed25519 in repo",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed the token refresh", "https://example.com/reset?token=<token>",
    "postgres://localhost/app", "postgres://user:password@localhost/app", "redis://$USER:$PASS@cache", "https://user:${TOKEN}@host/x",
    "mysql://root:root@127.0.0.1/test", "ssh://git@github.com:22/acme/app.git", "see https://host:8080/@scope/pkg", "mailto:a@b.example",
    "auth: OIDC via Okta, access tokens live 15 minutes", "auth = BearerAuth(token)", "token = os.environ['API_TOKEN_2']", "secret: env.API_SECRET_V2",
    "credentials: ~/.aws/credentials, profile acme-prod-2", "the secret is in AWS Secrets Manager under prod/payments/v2/stripe", "secret santa is on 2026-12-18",
    "sk-learn and task-force and risk-assessment-framework-2026", "the re_export_everything_from_index_files_v2 rule", "hf_hub_download_with_retries_and_backoff",
    "AKIAIOSFODNN7EXAMPLE", "eyJ is how base64 JSON begins", "Bearer <token>", "Authorization: Bearer $TOKEN", "Basic auth is off since version 2.13",
    "-----BEGIN PRIVATE KEY----- headers are searched by the scanner", "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUJ0n1m2k3j4h5g6f7d8s9a0q1\n-----END CERTIFICATE-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3Yx0hVnYc7m2uJv1qZ9sW4tR8pL6oK5nB3dF2gH1j bob", "密码策略：至少 12 位，含 1 个符号", "令牌有效期是 15 分钟",
    "パスワードは1Passwordにあります", "the keyboard shortcut is ctrl+shift+alt+k2", "issue key: ACME-1234-backend-refresh", "key: `getUserById2FromCache`",
    "GET /v1/keys/0190163d-8694-739b-aea5-966c26f8ad91", "trace id 4bf92f3577b34da6a3ce929d0e0e4736", "password_reset_url: https://a.example/reset/1",
    "Token bucket: capacity=100 refill=10/s", "access_token_ttl: 15m30s-rolling-v2", "AUTH_TOKEN_HEADER=X-Auth-Token-V2", "secretsmanager:GetSecretValue",
    "glob `**/node_modules/**`", "data:font/woff2;base64,d09GMgABAAAAAAZ0AA4AAAAADNwAAAYeAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "next_page_token=CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXAAAA12", "run with --token <TOKEN> or --password $DB_PASS", "--secret-name prod/db/password-v2 --key-id 12345678",
    "machine learning: login flow, password rules", "identified by 'employee_number'", "csrf token: a8f5f167f44f4964e6c998dee827110c", "use --api-key-file ~/.config/x/key.txt",
    "API keys: rotate with `scripts/rotate_keys_v2.sh`", "`api_key = load_key_from_vault_v2()`", "the admin password is rotated every 90days",
]  # fmt: skip


def labelled() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(label, text) of the labelled secrets and look-alikes."""
    data = json.loads((DATA / "secrets.json").read_text())

    def decode(rows: list[list[str]]) -> list[tuple[str, str]]:
        return [(label, base64.b64decode(text).decode()) for label, *texts in rows for text in texts]

    return decode(data["secrets"]), decode(data["harmless"])


def test_labelled_set_recall_and_false_positives() -> None:
    secrets, harmless = labelled()
    missed = [label for label, text in secrets if not scan(text)]
    false = [(label, [s.kind for s in scan(text)]) for label, text in harmless if scan(text)]
    print(
        f"secrets: found {len(secrets) - len(missed)} of {len(secrets)}, false {len(false)} of {len(harmless)}"
    )
    print(f"missed: {missed}; false: {false}")
    assert len(missed) <= len(secrets) * 0.05
    assert not false


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_generated_fakes_are_found_in_every_context(seed: int) -> None:
    missed, total = [], 0
    for kind, value in Fakes(seed).providers():
        for context in CONTEXTS:
            total += 1
            text = context.format(value)
            found = scan(text)
            if kind not in {s.kind for s in found}:
                missed.append((kind, context, [s.kind for s in found]))
            for secret in found:  # whatever was found must cover the value: redaction leaves nothing of it
                assert value[-8:] not in apply_edits(text, redact(text)) or value.startswith("-----"), (
                    kind,
                    secret,
                )
    print(f"provider formats: found {total - len(missed)} of {total}; missed {missed[:10]}")
    assert len(missed) <= total * 0.01


@pytest.mark.parametrize("seed", range(5))
def test_named_secrets_are_found(seed: int) -> None:
    wrong = [
        (kind, [s.kind for s in scan(text)])
        for kind, text in Fakes(seed).named()
        if kind not in {s.kind for s in scan(text)}
    ]
    print(f"named: wrong {wrong}")
    assert len(wrong) <= 1


def test_traps_stay_quiet() -> None:
    false = [(text[:60], [s.kind for s in scan(text)]) for text in HARMLESS if scan(text)]
    print(f"traps: false {len(false)} of {len(HARMLESS)}: {false}")
    assert not false


def test_checksum_beats_placeholder_and_entropy() -> None:
    fakes = Fakes(7)
    token = fakes.crc("ghp_")
    assert scan(token)[0].verified
    assert crc32_base62_tail(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert not scan("ghp_" + "x" * 36)
    assert not scan("ghp_1234567890abcdefghijklmnopqrstuvwxyz")  # every tutorial's token


def test_a_finding_never_carries_the_value() -> None:
    for _, value in Fakes(3).providers():
        for secret in scan(f"token: {value}"):
            assert value not in repr(secret) and value[:12] not in f"{secret.kind} {secret.label}"


def test_redaction_leaves_nothing_and_is_stable() -> None:
    texts = (
        [text for _, text in labelled()[0]]
        + [f"a {v} b" for _, v in Fakes(4).providers()]
        + [t for _, t in Fakes(4).named()]
    )
    for text in texts:
        once = apply_edits(text, redact(text))
        assert scan(once) == (), once
        assert "[redacted: " in once
    url = "postgres://app:" + Fakes(1).s("abcdefghijk12345", 14) + "@db.internal/prod"
    assert apply_edits(url, redact(url)).startswith("postgres://app:[redacted: ")


def test_entropy() -> None:
    assert entropy("") == 0.0
    assert entropy("aaaa") == 0.0
    assert entropy("abcd") == 2.0


def test_every_format_compiles_and_has_its_keyword() -> None:
    for fmt in FORMATS:
        compiled(fmt)
        assert fmt.keywords and all(fmt.keywords) and fmt.label
        assert fmt.kind == fmt.kind.lower()


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_scan_is_total(text: str) -> None:
    for secret in scan(text):
        assert 0 <= secret.span.start < secret.span.end <= len(text)


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="sk-antghp_eyJ.:/@=AKIA0123 \nİpasswordtoken", max_size=300),
    st.sampled_from(Fakes(9).providers()),
)
def test_noise_around_a_secret(noise: str, fake: tuple[str, str]) -> None:
    text = f"{noise}\n\n{fake[1]}\n\n{noise}"
    assert any(s.span.start <= text.index(fake[1]) + len(fake[1]) // 2 < s.span.end for s in scan(text))


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "sk-",
        "eyJ",
        "password ",
        "token=",
        "a://b:",
        "-----BEGIN PRIVATE KEY-----",
        "A" * 20 + "/",
        "x.",
        "key is ",
    ],
)
def test_long_hostile_text_stays_linear(unit: str) -> None:
    scan(unit * 100)  # warm the patterns
    text = unit * (200_000 // len(unit))
    start = time.process_time()
    scan(text)
    assert time.process_time() - start < 3.0
