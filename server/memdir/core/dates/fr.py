"""French."""

from __future__ import annotations

from memdir.core.dates.table import STANDARD_WINDOW as _STANDARD_WINDOW
from memdir.core.dates.table import Language, Rule, Wording

_WEEKDAYS = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
_MONTHS = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre")
_MONTH = "(?:janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc)[a-z]{0,6}\\.?"
_DAY = "(?:" + "|".join(_WEEKDAYS) + ")s?"
_LISTED = r"(?:hier|demain|aujourd['’]hui)"
_GENERIC_VALUE = r"(?:par défaut|date d['’]|égale?s?|signifie|p\.\s?ex\.|par exemple|comme|nommé|appelé|entre|que|dossier|onglet|champ|[=<>])\s*"

LANGUAGE = Language(
    code="fr",
    common=frozenset(
        "le les des est une et du dans pour nous avons sur pas qui au a été sont ce cette il elle par avec aux ont se doit sera l d où ou".split()
    )
    - {"a", "l", "d"},
    left_edge=r"(?<![\w./@#$\\\-])",
    slots={
        "day": {
            "aujourd'hui": 0, "hier": -1, "avant-hier": -2, "demain": 1, "après-demain": 2, "ce soir": 0, "ce matin": 0, "cet après-midi": 0,
            "cette nuit": 0, "hier soir": -1, "hier matin": -1, "demain matin": 1, "demain soir": 1, "demain après-midi": 1,
        },
        "n": {
            "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12,
            "quinze": 15, "vingt": 20, "trente": 30, "quelques": 3, "plusieurs": 4, "une quinzaine de": 15, "une dizaine de": 10,
        },
        "around": {"environ": 1, "presque": 1, "près de": 1, "plus de": 1, "à peu près": 1},
        "unit": {
            "jour": "day", "jours": "day", "semaine": "week", "semaines": "week", "mois": "month", "trimestre": "quarter", "trimestres": "quarter",
            "an": "year", "ans": "year", "année": "year", "années": "year", "heure": "hour", "heures": "hour", "minute": "minute", "minutes": "minute",
        },
        "period": {"semaine": "week", "week-end": "weekend", "weekend": "weekend", "mois": "month", "trimestre": "quarter", "année": "year", "an": "year"},
        "which": {"dernier": -1, "dernière": -1, "passé": -1, "passée": -1, "prochain": 1, "prochaine": 1, "qui vient": 1},
        "weekday": {name: i for i, name in enumerate(_WEEKDAYS)},
        "month": {name: i + 1 for i, name in enumerate(_MONTHS)},
    },
    approximate=frozenset({"quelques", "plusieurs", "une quinzaine de", "une dizaine de"}),
    rules=(
        Rule("offset", "il y a (?:{around} )?{n} {unit}", shift=-1, not_after=r"\s+(?:de|d['’]|dans|par|entre|avant)\b"),
        Rule("offset", "ça fait (?:{around} )?{n} {unit}", shift=-1, not_after=r"\s+de\b"),
        Rule("offset", "(?:dans|d'ici) (?:{around} )?{n} (?!heure|minute){unit}", shift=1, needs="!past", not_after=r"\s+(?:de|d['’]|sur|ou|après|suiv\w+)",
             not_before=r"\b(?:les|fois|un|une|chaque|tout)\s+(?:\w+\s+)?"),
        Rule("window", "(?:au cours des|durant les|pendant les|ces|dans les) (?!" + _STANDARD_WINDOW + "){n} (?:derniers|dernières) {unit}", shift=-1, needs="past"),
        Rule("end", "(?:la )?fin (?:de ce|de cette|du|de la|de l') ?{period}(?! {which})", not_before=r"\b(?:chaque|toute|à chaque)\s+", not_after=r"\s+(?:de chaque|suivant|de facturation|d['’])",
             only_before=r"(?:\b(?:à|a|en|avant|d['’]ici|jusqu['’]à|pour|vers)\s+(?:la\s+)?|^\W*|d['’]ici (?:à )?)"),
        Rule("end", "(?:la )?fin (?:du|de la|de l') ?{period} {which}"),
        Rule("weekday", "(?:le |ce )?{weekday} {which}"),
        Rule("weekday", "ce {weekday}", not_after=r"\s+\d"),
        Rule("period", "(?:la |le |l'|au |du )?{period} {which}", not_before=r"\b(?:d'un|d'une|un|une|chaque|les|des)\s+"),
        Rule("period", "(?:ce|cet|cette) (?!an\\b){period}(?:-ci)?", not_before=r"\b(?:de|chaque)\s+", not_after=r"\s+(?:-là|là)|-là"),
        Rule("month", "(?:en )?{month} {which}", shift=None),
        Rule(
            "day", "{day}", not_before=rf"{_LISTED}\s*(?:,|et|ou)\s*|\bbonjour\s+|\bd'hier\s+",
            not_after=rf"\s*(?:,|et|ou)\s*{_LISTED}|\s*[-+=<>/]|\s+encore\b",
        ),
        Rule(
            "weekday", "(?:ce )?{weekday}", shift=None,
            not_before=rf"\b(?:le|les|du|au|un|une|chaque|tous les|premier|deuxième|dernier|entre|bon|dossier)\s+|\b{_DAY}\s*(?:,|/|et|ou|à|au|-|–)\s*",
            not_after=rf"\s*(?:,|/|-|–|\b(?:et|ou|au|à)\b)\s*(?:le\s+)?{_DAY}|\s+(?:de chaque|du mois|matins|soirs|\d)",
            unless=r"\b(?:chaque|jamais|toujours|habituellement|hebdomadaire|si|quand|sauf|travaille)\b",
        ),
        Rule("vague", "récemment|dernièrement|l'autre jour|il y a peu|il y a quelque temps|il y a longtemps", shift=-1, not_before=r"\b(?:plus|moins|le|la|les|utilisés?|ouverts?|ajoutés?|modifiés?)\s+",
             not_after=r"\s+(?:ouverts?|utilisée?s?|ajoutée?s?|modifiée?s?|consultée?s?)\b"),
        Rule("vague", "bientôt|prochainement|sous peu", shift=1, not_before=r"(?:\bà|\baussi|\btrop|\bsi)\s+", not_after=r"\s+(?:disponible|possible)|\s*!", unless=r"\b(?:si|quand|dès que)\b"),
        Rule("day", "dans cette session|pendant cette session|au cours de cette session", needs="past"),
    ),
    past=r"\b(?:a été|ont été|était|étaient|avons|ont|avez|est (?:passée?|tombée?|partie?|venue?|arrivée?)|a \w+[éiut]s?|avait|venait|depuis|\w+ait)\b",
    future=r"\b(?:sera|seront|va|vont|doit|doivent|prévue?s?|commence|démarre|se termine|termine|expire|est|a lieu|avant|jusqu['’]à|d['’]ici|pour|quitte|revient|\w+era|\w+eront)\b",
    not_before=_GENERIC_VALUE + r"|\b(?:chaque|tous les|toutes les)\s+|\bsi\s+(?:un|une|la|le)\b[^,.;]*",
    not_after=r"\s+(?:de chaque|suivante?s?\b)",
    unless=r"\b(?:chaque|tous les|toutes les)\s+(?:jours?|semaines?|mois|matins?|soirs?|fois|sessions?|" + _DAY + r")\b|\bpar (?:défaut|exemple)",
    titles="first",
    dates=rf"(?:(?:{_DAY}\s+)?\d{{1,2}}(?:er)?\s+{_MONTH}|{_MONTH}\s+\d{{4}}|\d{{1,2}}/\d{{1,2}})",
    as_of=r"(?:^\W*au|\((?:au|état au)|\bà la date du|\ben date du)\s+{date}",
    deadline_before=(
        r"\b(?:jusqu['’]au|avant(?: le)?|d['’]ici(?: le| au)?|au plus tard(?: le)?|échéance|date limite|deadline|expire(?: le)?|se termine(?: le)?|prend fin(?: le)?"
        r"|prévue?s?(?: le| pour le| pour)|à rendre(?: le| pour le)|(?:commence|démarre) le)(?:\s+(?:est|le|fin))?[\s:*_(]{1,5}"
    ),
    history=r"\b(?:était|étaient|a été|ont été|terminée?s?|livrée?s?|achevée?s?|passée?s?|depuis)\b|✅|\[x\]",
    wording=Wording(
        bare={
            "day": "le {date}", "week": "la semaine du {date}", "weekend": "le week-end du {date}", "month": "{month}", "quarter": "T{quarter} {year}",
            "half": "S{half} {year}", "year": "{year}", "range": "entre le {date} et le {last}", "around": "vers le {date}",
            "end-week": "la fin de la semaine du {monday}", "vague": "{text} (au {date})",
        },
        adverb={"month": "en {month}", "quarter": "au T{quarter} {year}", "half": "au S{half} {year}", "year": "en {year}"},
        bare_after=r"\b(?:depuis|pendant|durant|avant|après|pour|dès|d['’]ici|jusqu['’]à|et|ou|de|vers)\s+|d['’]|[(|:][*_]{0,2}\s*",
        bare_before=r"\s+(?:est|était|sera)\s+(?:la|le|un|une)\b|\s*(?::|\|)",
        joins=((r"\bd['’]", "du {date}"), (r"\bde\s+", "du {date}"), (r"\bjusqu['’]à\s+(?:la\s+)?", "jusqu'au {date}"), (r"\bà\s+(?:la\s+)?", "le {date}")),
        parts={"ce matin": "le matin du {date}", "ce soir": "le soir du {date}", "cet après-midi": "l'après-midi du {date}", "cette nuit": "la nuit du {date}",
               "hier soir": "le soir du {date}", "hier matin": "le matin du {date}", "demain matin": "le matin du {date}", "demain soir": "le soir du {date}"},
    ),
)
