"""Source hosting, package registries, build and infrastructure tools."""

from __future__ import annotations

from memdir.core.secrets.checks import crc32_base62_tail, json_object
from memdir.core.secrets.formats import Format, row

CODE: tuple[Format, ...] = (
    row("github-token", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}", check=crc32_base62_tail),
    row("github-token", "GitHub fine-grained token", "github_pat_", r"github_pat_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{50,64}"),
    row(
        "gitlab-token", "GitLab token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- glwt-",
        r"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas|ffct|wt)-[A-Za-z0-9_-]{20,300}(?:\.[A-Za-z0-9]{2}\.[A-Za-z0-9]{7,12})?",
    ),
    row("gitlab-token", "GitLab runner registration token", "GR1348941", r"GR1348941[A-Za-z0-9_-]{20}"),
    row("bitbucket-token", "Bitbucket app password", "ATBB", r"ATBB[A-Za-z0-9]{24,36}"),
    row("sourcegraph-token", "Sourcegraph token", "sgp_ slk_", r"(?:sgp_(?:[a-z0-9]{16}_|local_)?|slk_)[0-9a-f]{40,64}"),
    row("npm-token", "npm token", "npm_", r"npm_[A-Za-z0-9]{36}", check=crc32_base62_tail),
    row("npm-token", "npm registry token", "_authToken= _auth=", r"_auth(?:Token)?=\s*[\"']?(?P<s>[A-Za-z0-9+/=_-]{20,200})", bare=True),
    row("pypi-token", "PyPI token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,1000}"),
    row("rubygems-token", "RubyGems key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    row("crates-token", "crates.io token", "cio", r"cio[A-Za-z0-9]{32}", entropy=3.8, least=35),
    row("nuget-key", "NuGet key", "oy2", r"oy2[a-z0-9]{43}", entropy=3.5),
    row("docker-token", "Docker Hub token", "dckr_pat_ dckr_oat_", r"dckr_[op]at_[A-Za-z0-9_-]{20,40}"),
    row("packagist-token", "Packagist token", "packagist_", r"packagist_[a-z]{3}_[0-9a-f]{60,80}"),
    row("clojars-token", "Clojars token", "CLOJARS_", r"CLOJARS_[0-9a-z]{60}"),
    row("jfrog-key", "JFrog key", "AKCp cmVmdGtuO", r"(?:AKCp[A-Za-z0-9]{60,90}|cmVmdGtuO[A-Za-z0-9]{50,70})"),
    row("sonar-token", "SonarQube token", "sqa_ sqp_ squ_", r"sq[apu]_[0-9a-f]{40}"),
    row("circleci-token", "CircleCI token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}"),
    row("buildkite-token", "Buildkite token", "bkua_ bkaj_", r"bk(?:ua|aj)_[0-9a-zA-Z]{36,64}"),
    row("terraform-token", "HCP Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{55,80}"),
    row("vault-token", "Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,300}"),
    row("doppler-token", "Doppler token", "dp.", r"dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    row("pulumi-token", "Pulumi token", "pul-", r"pul-[0-9a-f]{40}"),
    row("onepassword-token", "1Password service account token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{120,1500}={0,3}", check=json_object),
    row("onepassword-key", "1Password secret key", "A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    row("age-key", "age private key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    row("tailscale-key", "Tailscale key", "tskey-", r"tskey-[a-z]{2,10}-[A-Za-z0-9]{8,30}(?:-[A-Za-z0-9]{16,40})?"),
    row("prefect-token", "Prefect key", "pnu_ pnb_", r"pn[ub]_[A-Za-z0-9]{36}"),
    row("postman-key", "Postman key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    row("readme-key", "ReadMe key", "rdme_", r"rdme_[a-z0-9]{70}"),
    row("snyk-token", "Snyk token", "snyk_", r"snyk_[a-z]{2,6}\.[A-Za-z0-9_.-]{30,}"),
    row("launchdarkly-key", "LaunchDarkly key", "sdk- api- mob-", r"(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", least=40),
    row("memdir-token", "Memdir team token", "mdt_", r"mdt_[A-Za-z0-9]{46}", check=crc32_base62_tail),
)  # fmt: skip
