"""Well-formed FAKE credentials, assembled at run time from a seeded generator so that no file of this repository holds one.

Each entry is (kind expected, text); the shapes follow the providers' public descriptions. None was ever valid anywhere.
"""

from __future__ import annotations

import base64
import json
import random
import zlib

from memdir.core.secrets.checks import base62

LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
DIGIT = "0123456789"
ALNUM = LOWER + UPPER + DIGIT
HEX = DIGIT + "abcdef"
URLSAFE = ALNUM + "_-"
B64 = ALNUM + "+/"


class Fakes:
    """A seeded source of look-alikes."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def s(self, alphabet: str, size: int) -> str:
        return "".join(self.rng.choice(alphabet) for _ in range(size))

    def uuid(self) -> str:
        return "-".join(
            [self.s(HEX, 8), self.s(HEX, 4), "4" + self.s(HEX, 3), "a" + self.s(HEX, 3), self.s(HEX, 12)]
        )

    def crc(self, prefix: str, size: int = 30) -> str:
        body = self.s(ALNUM, size)
        return prefix + body + base62(zlib.crc32(body.encode()), 6)

    def jwt(self) -> str:
        parts = [{"alg": "RS256", "typ": "JWT"}, {"sub": self.s(LOWER, 8), "iat": 1772000000}]
        coded = [base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts]
        return ".".join([*coded, self.s(URLSAFE, 43)])

    def pem(self, label: str) -> str:
        lines = "\n".join(self.s(B64, 64) for _ in range(6))
        return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----"

    def providers(self) -> list[tuple[str, str]]:
        s = self.s
        return [
            ("aws-key-id", "AKIA" + s(UPPER + "234567", 16)),
            ("github-token", self.crc("ghp_")),
            ("github-token", self.crc("ghs_")),
            ("github-token", "ghr_" + s(ALNUM, 36)),
            ("github-token", "github_pat_" + s(ALNUM, 22) + "_" + s(ALNUM, 59)),
            ("gitlab-token", "glpat-" + s(URLSAFE, 20)),
            ("gitlab-token", "glrt-" + s(URLSAFE, 27) + ".01." + s(LOWER + DIGIT, 9)),
            ("bitbucket-token", "ATBB" + s(ALNUM, 32)),
            ("npm-token", self.crc("npm_")),
            ("pypi-token", "pypi-AgE" + "IcHlwaS5vcmc" + s(URLSAFE, 120)),
            ("rubygems-token", "rubygems_" + s(HEX, 48)),
            ("crates-token", "cio" + s(ALNUM, 32)),
            ("docker-token", "dckr_pat_" + s(URLSAFE, 27)),
            ("sonar-token", "squ_" + s(HEX, 40)),
            ("terraform-token", s(ALNUM, 14) + ".atlasv1." + s(URLSAFE, 67)),
            ("vault-token", "hvs." + s(URLSAFE, 90)),
            ("doppler-token", "dp.pt." + s(ALNUM, 43)),
            ("pulumi-token", "pul-" + s(HEX, 40)),
            ("age-key", "AGE-SECRET-" + "KEY-1" + s("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
            ("tailscale-key", "tskey-auth-" + s(ALNUM, 17) + "-" + s(ALNUM, 32)),
            ("postman-key", "PMAK-" + s(HEX, 24) + "-" + s(HEX, 34)),
            ("memdir-token", self.crc("mdt_", 40)),
            ("google-api-key", "AIza" + s(URLSAFE, 35)),
            ("google-oauth-secret", "GOCSPX-" + s(URLSAFE, 28)),
            ("google-oauth-token", "ya29." + s(URLSAFE, 120)),
            ("azure-client-secret", s(ALNUM, 3) + "8Q~" + s(ALNUM + "_.-", 33) + "x"),
            ("digitalocean-token", "dop_v1_" + s(HEX, 64)),
            ("heroku-key", "HRKU-AA" + s(URLSAFE, 58)),
            ("supabase-key", "sbp_" + s(HEX, 40)),
            ("databricks-token", "dapi" + s(HEX, 32)),
            ("cloudflare-key", "v1.0-" + s(HEX, 24) + "-" + s(HEX, 146)),
            ("planetscale-token", "pscale_tkn_" + s(URLSAFE, 43)),
            ("anthropic-key", "sk-ant-" + "api03-" + s(URLSAFE, 93) + "AA"),
            ("openai-key", "sk-proj-" + s(URLSAFE, 74) + "T3Blbk" + "FJ" + s(URLSAFE, 74)),
            ("openai-key", "sk-" + s(ALNUM, 20) + "T3Blbk" + "FJ" + s(ALNUM, 20)),
            ("openrouter-key", "sk-or-v1-" + s(HEX, 64)),
            ("groq-key", "gsk_" + s(ALNUM, 52)),
            ("xai-key", "xai-" + s(ALNUM, 80)),
            ("huggingface-token", "hf_" + s(LOWER + UPPER, 34)),
            ("replicate-token", "r8_" + s(ALNUM, 37)),
            ("langsmith-key", "lsv2_pt_" + s(HEX, 32) + "_" + s(HEX, 10)),
            ("pinecone-key", "pcsk_" + s(ALNUM, 6) + "_" + s(ALNUM, 63)),
            ("slack-token", "xoxb-" + s(DIGIT, 12) + "-" + s(DIGIT, 13) + "-" + s(ALNUM, 24)),
            (
                "slack-webhook",
                "https://hooks.slack.com/services/T" + s(UPPER, 8) + "/B" + s(UPPER, 8) + "/" + s(ALNUM, 24),
            ),
            ("discord-token", "M" + s(ALNUM, 25) + "." + s(URLSAFE, 6) + "." + s(URLSAFE, 38)),
            (
                "discord-webhook",
                "https://discord.com/api/webhooks/" + s(DIGIT[1:], 18) + "/" + s(URLSAFE, 68),
            ),
            ("telegram-token", s(DIGIT[1:], 10) + ":AA" + s(URLSAFE, 33)),
            ("stripe-key", "sk_" + "live_" + s(ALNUM, 24)),
            ("stripe-key", "rk_" + "live_" + s(ALNUM, 99)),
            ("webhook-secret", "whsec_" + s(ALNUM, 32)),
            ("square-token", "sq0atp-" + s(URLSAFE, 22)),
            ("shopify-token", "shpss_" + s(HEX, 32)),
            ("sendgrid-key", "SG." + s(URLSAFE, 22) + "." + s(URLSAFE, 43)),
            ("mailchimp-key", s(HEX, 32) + "-us12"),
            ("brevo-key", "xkeysib-" + s(HEX, 64) + "-" + s(ALNUM, 16)),
            ("twilio-key", "SK" + s(HEX, 32)),
            ("notion-token", "ntn_" + s(ALNUM, 46)),
            ("atlassian-token", "ATATT3" + "xFfGF0" + s(URLSAFE, 170) + "=" + s(HEX.upper(), 8)),
            ("figma-token", "figd_" + s(URLSAFE, 40)),
            ("airtable-token", "pat" + s(ALNUM, 14) + "." + s(HEX, 64)),
            ("hubspot-token", "pat-na1-" + self.uuid()),
            ("newrelic-key", "NRAK-" + s(UPPER + DIGIT, 27)),
            ("sentry-token", "sntryu_" + s(HEX, 64)),
            ("dynatrace-token", "dt0c01." + s(UPPER + DIGIT, 24) + "." + s(UPPER + DIGIT, 64)),
            ("json-web-token", self.jwt()),
            ("private-key", self.pem("RSA PRIVATE" + " KEY")),
            ("private-key", self.pem("OPENSSH PRIVATE" + " KEY")),
        ]

    def named(self) -> list[tuple[str, str]]:
        """Secrets that only the words around them give away."""
        s = self.s
        pw = s(ALNUM, 10) + "!7" + s(ALNUM, 3)
        return [
            ("aws-secret-key", "AWS_SECRET_ACCESS_KEY=" + s(ALNUM, 18) + "9Aa/" + s(ALNUM, 18)),
            ("password", f"the staging password is {pw}"),
            ("password", f"Password for the admin account: `{pw}`"),
            ("password", f"DB_PASSWORD={pw}"),
            ("password", f'"password": "{pw}",'),
            ("password", f"PGPASSWORD='{pw}' psql -h db"),
            ("password", f"- **Password:** {pw}"),
            ("password", f"数据库密码是 {pw}，不要外传"),
            ("password", f"本番のパスワードは「{pw}」です"),
            ("password", f"비밀번호: {pw}"),
            ("password", f"Das Passwort ist {pw}."),
            ("password", f"contraseña: {pw}"),
            ("password", f"curl -u deploy:{pw} https://ci.internal/api"),
            ("password-in-url", f"redis://default:{s(ALNUM, 24)}@cache.internal:6379/0"),
            ("password-in-url", f"mysql://root:{s(ALNUM, 12)}@10.0.0.7/app"),
            ("password-in-url", f"amqp://svc:{s(ALNUM, 16)}@mq:5672"),
            ("secret-value", f"DD_API_KEY={s(HEX, 32)}"),
            ("secret-value", f"client_secret: {s(ALNUM, 40)}"),
            ("secret-value", f"the deploy token is {s(ALNUM, 40)} until May"),
            ("secret-value", f"HEROKU_API_KEY={self.uuid()}"),
            ("secret-value", f"export SIGNING_SECRET='{s(HEX, 64)}'"),
            ("secret-value", f"x-api-key: {s(ALNUM, 32)}"),
            ("bearer-token", f"call it with `Authorization: Bearer {s(ALNUM, 40)}`"),
            (
                "basic-credentials",
                "Authorization: Basic " + base64.b64encode(f"admin:{pw}".encode()).decode(),
            ),
            ("password", f"mysql --user app --password {pw}"),
            ("password", f"machine api.example.org login ci password {pw}"),
            ("password", f"CREATE USER app IDENTIFIED BY '{pw}'"),
            ("password", f"db password = hunter{s(DIGIT, 2)}secure{s(LOWER, 4)}9"),
            ("secret-value", f'"client_secret": "{s(ALNUM, 32)}"'),
            ("aws-secret-key", '"SecretAccessKey": "' + s(ALNUM, 19) + "/9aA" + s(ALNUM, 17) + '"'),
            ("private-key", '"private_key": "' + self.pem("PRIVATE" + " KEY").replace("\n", "\\n") + '\\n"'),
            ("azure-storage-key", f"AccountName=acme;AccountKey={s(B64, 86)}==;EndpointSuffix=x"),
        ]
