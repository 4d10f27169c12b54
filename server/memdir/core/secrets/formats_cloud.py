"""Cloud platforms, hosting, data stores and their connection strings."""

from __future__ import annotations

from memdir.core.secrets.formats import Format, row

CLOUD: tuple[Format, ...] = (
    row("aws-key-id", "AWS access key", "AKIA ASIA ABIA ACCA A3T", r"(?:A(?:KIA|SIA|BIA|CCA)|A3T[A-Z0-9])[A-Z0-9]{16}"),
    row("aws-session-token", "AWS session token", "FwoGZXIvYXdz IQoJb3JpZ2lu", r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9/+]{100,2000}={0,2}"),
    row("aws-bedrock-key", "Amazon Bedrock key", "ABSK bedrock-api-key-", r"(?:ABSK[A-Za-z0-9+/]{100,280}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{40,2000})"),
    row("aws-mws-key", "Amazon MWS token", "amzn.mws.", r"amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    row("google-api-key", "Google API key", "AIza", r"AIza[A-Za-z0-9_-]{35}", entropy=3.2),
    row("google-oauth-secret", "Google OAuth client secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{24,32}"),
    row("google-oauth-token", "Google OAuth token", "ya29. 1//0", r"(?:ya29\.[A-Za-z0-9_.-]{30,1000}|1//0[A-Za-z0-9_-]{40,200})", entropy=3.5),
    row("azure-storage-key", "Azure account key", "AccountKey=", r"AccountKey=(?P<s>[A-Za-z0-9+/]{80,90}={0,2})", bare=True),
    row("azure-access-key", "Azure shared access key", "SharedAccessKey= AccessKey=", r"(?:Shared)?AccessKey=(?P<s>[A-Za-z0-9+/]{40,90}={0,2})", bare=True),
    row("azure-sas", "Azure shared access signature", "sig=", r"[?&;]sig=(?P<s>[A-Za-z0-9%+/]{40,70}(?:%3D|={1,2}))", bare=True),
    row("azure-client-secret", "Azure client secret", "Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])", bare=True),
    row("azure-key", "Azure service key", "AzSe AzFu AzCa +ASt +ACR APIM AzIo AIoT ACDb", r"[A-Za-z0-9+/_-]{30,80}(?:AzSe|AzFu|AzCa|\+ASt|\+ACR|APIM|AIoT|ACDb)[A-Za-z0-9+/_-]{5,12}={0,2}", entropy=3.8),
    row("azure-devops-token", "Azure DevOps token", "AZDO JQQJ99", r"(?:[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{32,60}JQQJ99[A-Za-z0-9]{20,50})"),
    row("digitalocean-token", "DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    row("heroku-key", "Heroku key", "HRKU-", r"HRKU-[A-Za-z0-9_-]{36,70}"),
    row("fly-token", "Fly.io token", "fm1r_ fm2_ fm1a_ fo1_", r"(?:fm1[ar]_|fm2_|fo1_)[A-Za-z0-9+/_-]{40,1500}={0,3}", entropy=3.5),
    row("vercel-token", "Vercel token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piark]_[A-Za-z0-9]{24,64}", entropy=3.5),
    row("netlify-token", "Netlify token", "nfp_ nfc_ nfu_", r"nf[pcu]_[A-Za-z0-9]{36,40}"),
    row("cloudflare-key", "Cloudflare key", "v1.0- cfut_ cfat_ cfk_", r"(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{100,160}|cf(?:ut|at|k)_[A-Za-z0-9]{40,60})"),
    row("supabase-key", "Supabase key", "sbp_ sb_secret_", r"(?:sbp_(?:v0_)?[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{22,50})"),
    row("planetscale-token", "PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
    row("neon-key", "Neon key", "napi_ npg_", r"(?:napi_[a-z0-9]{50,70}|npg_[A-Za-z0-9]{12,32})"),
    row("aiven-password", "Aiven password", "AVNS_", r"AVNS_[A-Za-z0-9_-]{17,24}"),
    row("databricks-token", "Databricks token", "dapi dkea dose", r"(?:dapi|dkea|dose)[0-9a-f]{32}(?:-\d)?"),
    row("render-key", "Render key", "rnd_", r"rnd_[A-Za-z0-9]{28,32}", entropy=3.5),
    row("deno-token", "Deno Deploy token", "ddp_ ddo_ ddw_", r"dd[pow]_[A-Za-z0-9]{36,40}", entropy=3.5),
    row("alibaba-key-id", "Alibaba Cloud access key", "LTAI", r"LTAI[A-Za-z0-9]{12,26}", entropy=3.2),
    row("tencent-key-id", "Tencent Cloud key", "AKID", r"AKID[A-Za-z0-9]{32}", entropy=3.5),
    row("yandex-key", "Yandex Cloud key", "AQVN YCAJ YCM y0_A t1.9", r"(?:AQVN[A-Za-z0-9_-]{35,38}|YCAJ[A-Za-z0-9_-]{21}|YCM[A-Za-z0-9_-]{37}|y0_A[A-Za-z0-9_-]{50,60}|t1\.9[A-Za-z0-9_.-]{80,300})"),
    row("scaleway-key", "Scaleway key", "SCW", r"SCW[A-Z0-9]{17}"),
    row("duffel-token", "Duffel token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_-]{43}"),
    row("mapbox-token", "Mapbox secret token", "sk.eyJ", r"sk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{16,40}"),
)  # fmt: skip
