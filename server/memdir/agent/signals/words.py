"""The words that announce something worth remembering, per kind and language. Patterns see one sentence, case folded.

A sentence is long enough to be one (see `find`), so short words are safe only at its beginning (`^`).
"""

from __future__ import annotations

from collections.abc import Mapping

# What the person put right in the way of working.
CORRECTION: Mapping[str, str] = {
    "en": r"^(?:no|nope|wrong|stop)\b(?:[,.!:;—–]| (?:not|don'?t|that|this|it|use|i|we|please|mocks?)\b)|\b(?:not like that|that'?s (?:wrong|not (?:right|what i))|i (?:said|told you|asked you)(?: \w+)? (?:not |to )|"
    r"(?:please )?(?:don'?t|do not|never|stop) (?:ever )?(?:use|using|add|adding|do|doing|write|writing|mock|mocking|commit|committing|push|pushing|create|creating|touch|touching|summari[sz]e|summari[sz]ing|run|running|change|changing|put|putting)\b|"
    r"\bnext time\b|\bfrom now on\b|\binstead of\b.{0,60}\b(?:use|do|write)\b|\b(?:always|please always) (?:use|run|write|ask|check|put)\b)",
    "zh": r"^(?:不对|不對|不是|错了|錯了|别|別|不要)|(?:以后|以後|下次|从现在起|從現在起).{0,30}(?:不要|别|別|要|用|先)|(?:不要|别|別)(?:再|用|写|寫|加|改|提交)|应该(?:用|先|改)",
    "ja": r"^(?:いや|違う|違います|だめ)|(?:次から|今後|これから).{0,30}(?:してください|しないで|使って)|(?:しないで|やめて|使わないで)(?:ください|$|。)|ではなく.{0,20}(?:使|して)",
    "ko": r"^(?:아니|틀렸|그게 아니)|(?:다음부터|앞으로는?|이제부터).{0,30}(?:하지 ?마|해 ?주세요|하세요|쓰세요)|하지 ?마(?:세요)?(?:$|[.!])|말고.{0,20}(?:써|쓰|하)",
    "de": r"^(?:nein|falsch|stopp?)\b[,.!:;—–]|\b(?:nicht so|bitte (?:nicht|kein\w*)|nie(?:mals)? wieder|ab jetzt|in zukunft|nächstes mal|verwende(?:t)? (?:kein\w*|nicht)|nimm (?:kein\w*|nicht)|lass das)\b",
    "fr": r"^(?:non|arrête|faux)\b[,.!:;—–]|\b(?:pas comme ça|n[e']\s?\w+ (?:pas|plus|jamais)\b.{0,40}\b(?:s'il te plaît|stp)|à partir de maintenant|dorénavant|désormais|la prochaine fois|ne (?:fais|mets|utilise|touche|commite|pousse) (?:pas|plus|jamais))\b",
    "es": r"^(?:no|para|mal)\b[,.!:;—–]|\b(?:así no|no (?:uses|hagas|pongas|toques|añadas|mockees|escribas)|nunca (?:uses|hagas)|a partir de ahora|de ahora en adelante|la próxima vez)\b",
    "pt": r"^(?:não|pare|errado)\b[,.!:;—–]|\b(?:assim não|não (?:use|faça|coloque|toque|escreva)|nunca (?:use|faça)|a partir de agora|de agora em diante|da próxima vez)\b",
    "ru": r"^(?:нет|стоп|неверно|не так)\b[,.!:;—–]|\b(?:не (?:надо|нужно|используй\w*|делай\w*|трогай\w*)|впредь|отныне|в следующий раз|с этого момента)\b",
}
# What the person approved of: quieter, and as much worth knowing.
CONFIRMATION: Mapping[str, str] = {
    "en": r"^(?:yes|yep|yeah|exactly|perfect|great)\b.{0,20}\b(?:exactly|like that|that'?s (?:it|right|how)|perfect|keep (?:it|doing|that)|please keep|i like)\b|\b(?:exactly (?:like that|right|what i (?:want|mean))|keep doing (?:that|it)|that'?s (?:exactly )?how i (?:want|like)|i (?:really )?like (?:how|that|the way) you|that was the right (?:call|choice))\b",
    "zh": r"^(?:对|對|没错|沒錯|很好|完美|就这样|就這樣).{0,12}(?:就这样|就這樣|保持|继续|繼續|这样做|這樣做)|(?:就是这样|就是這樣|以后都这样|以後都這樣|这样很好|這樣很好|我喜欢你这样|正是我要的)",
    "ja": r"(?:その通り|まさにそれ|この調子|そのまま続けて|それがいい|このやり方で)",
    "ko": r"(?:바로 그거|그대로 (?:해|계속)|이런 식으로 계속|딱 좋)",
    "de": r"^(?:ja|genau|perfekt|super)\b.{0,20}\b(?:genau so|so (?:bleiben|weiter)|weiter so|gefällt mir)\b|\b(?:genau so|mach(?:t)? weiter so|so will ich (?:das|es)|das gefällt mir)\b",
    "fr": r"^(?:oui|exactement|parfait)\b.{0,20}\b(?:comme ça|c'est ça|continue|garde)\b|\b(?:exactement comme ça|continue comme ça|c'est exactement ce que je (?:veux|voulais))\b",
    "es": r"^(?:sí|exacto|perfecto)\b.{0,20}\b(?:así|sigue|eso es)\b|\b(?:exactamente así|sigue así|así me gusta|justo lo que quería)\b",
    "pt": r"^(?:sim|exato|perfeito)\b.{0,20}\b(?:assim|continue|isso)\b|\b(?:exatamente assim|continue assim|é isso mesmo)\b",
    "ru": r"^(?:да|именно|отлично)\b.{0,20}\b(?:именно так|так и|продолжай\w*)\b|\b(?:именно так|продолжай\w* в том же духе|так и делай\w*)\b",
}
# What the person asked to keep in mind.
REMEMBER: Mapping[str, str] = {
    "en": r"(?<!do you )(?<!can you )(?<!i )(?<!don't )\bremember (?:that|this|to|:|,)|^(?:please )?(?:remember|note|keep in mind|bear in mind|don'?t forget|make a note|memori[sz]e)\b(?!.{0,3}\?)|\b(?:keep in mind|for (?:the )?(?:future|next time)|save (?:this|that) (?:to|in) (?:your )?memory|note (?:this|that) (?:down )?for)\b",
    "zh": r"(?:请|請)?(?:记住|記住|记下|記下|记一下|記一下|牢记|牢記|别忘了|別忘了|不要忘记|不要忘記)(?!.{0,4}[吗嗎?？])|(?:存到|写进|寫進|记到|記到)(?:你的)?(?:记忆|記憶)",
    "ja": r"(?:覚えておいて|覚えて(?:おいて)?ください|忘れないで|メモして(?:おいて)?|記憶して)",
    "ko": r"(?:기억해(?: ?(?:줘|두|주세요))?|잊지 ?마(?:세요)?|메모해)",
    "de": r"\b(?:merk(?:e|t)? (?:dir|euch)|denk(?:e|t)? daran|vergiss (?:nicht|das nicht)|behalte?\b.{0,20}\bim (?:kopf|hinterkopf)|notier(?:e|t)? dir)\b",
    "fr": r"\b(?:souviens-toi|rappelle-toi|retiens|n'oublie pas|garde (?:ça |cela )?en (?:tête|mémoire)|note (?:bien )?que)\b",
    "es": r"\b(?:recuerda|acuérdate|no (?:te )?olvides|ten en cuenta|toma nota|apunta que)\b",
    "pt": r"\b(?:lembre-se|lembra-te|não (?:se )?esqueça|tenha em mente|anote que)\b",
    "ru": r"\b(?:запомни(?:те)?|не забудь(?:те)?|имей(?:те)? в виду|учти(?:те)?, что)\b",
}
# Words that make a date a deadline or a constraint.
DEADLINE: Mapping[str, str] = {
    "en": r"\b(?:deadline|due|until|till|by|before|freeze|frozen|release|launch|ship|cut(?:s|off)?|demo|go(?:es)? live|expires?|ends?|starting|from)\b",
    "zh": r"截止|之前|以前|前(?:必须|要|完成|交|发|發)|冻结|凍結|发布|發布|上线|上線|到期|为止|為止|开始|開始",
    "ja": r"締め?切り|期限|まで|リリース|凍結|公開|開始|終了",
    "ko": r"마감|까지|출시|배포|동결|시작|종료|만료",
    "de": r"\b(?:frist|deadline|bis|vor dem|ab dem|freeze|release|stichtag|fällig|endet|läuft ab|veröffentlich\w*)\b",
    "fr": r"\b(?:échéance|date limite|avant|jusqu'au|d'ici|gel|livraison|mise en production|expire|à partir du)\b",
    "es": r"\b(?:fecha límite|plazo|antes del?|hasta|congelación|lanzamiento|vence|a partir del?)\b",
    "pt": r"\b(?:prazo|até|antes d[eo]|congelamento|lançamento|vence|a partir d[eo])\b",
    "ru": r"\b(?:срок|дедлайн|до|к|релиз|заморозк\w+|истекает|начиная с)\b",
}
# Hosts, and words beside an address, of places where a team looks things up.
PLACES = r"grafana|kibana|datadog|newrelic|sentry|pagerduty|opsgenie|statuspage|prometheus|looker|metabase|tableau|splunk|honeycomb|linear\.app|atlassian|jira|youtrack|asana|trello|clickup|shortcut\.com|basecamp|confluence|notion\.|wiki|docs\.google|sharepoint|coda\.io|miro\.com|figma|slack\.com|discord|teams\.microsoft|mattermost|zulip|feishu|lark|yuque|dingtalk|bugzilla|redmine|gitlab\.[^/]+/.*/(?:issues|boards)|github\.com/[^/]+/[^/]+/(?:issues|projects|discussions)|dashboard|runbook|board"
PLACE_WORDS = r"\b(?:dashboard|board|tracker|runbook|wiki|channel|ticket(?:s)?|spec|on-?call|logs? (?:are|is) (?:in|at)|look (?:at|in|there)|see also|documented|tracked)\b|看板|仪表盘|儀表板|文档|文檔|频道|頻道|工单|工單|ダッシュボード|ボード|チャンネル|대시보드|보드|채널|übersicht|kanal|tableau de bord|suivi|tablero|panel|painel|quadro|дашборд|доск|канал"
