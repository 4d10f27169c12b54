"""German."""

from __future__ import annotations

from memdir.core.dates.table import STANDARD_WINDOW as _STANDARD_WINDOW
from memdir.core.dates.table import Language, Rule, Wording

_WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_MONTHS = ("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember")
_MONTH = r"(?:jan|feb|mär|apr|mai|juni?|juli?|aug|sep|okt|nov|dez)[a-zä]{0,6}\.?"
_DAY = "(?:mo|di|mi|do|fr|sa|so)[a-z]{0,9}tag"
_LISTED = r"(?:heute|gestern|morgen|(?:letzte|diese|nächste)[nrs]?\s+\w+)"
_GENERIC_VALUE = r"(?:standard(?:mäßig|wert)?(?:\s+ist)?|gleich|heißt|bedeutet|z\.\s?b\.|etwa|wie|genannt|als|zwischen|[=<>]|ordner|konto)\s*"

LANGUAGE = Language(
    code="de",
    common=frozenset(
        "der die das und ist ein eine wird wurde mit auf für nicht von den dem im wir sind auch noch nach bei haben hat werden zum zur"
        " wenn sich läuft geht kam keine".split()
    ),
    slots={
        "day": {
            "heute": 0, "gestern": -1, "vorgestern": -2, "morgen": 1, "übermorgen": 2, "heute abend": 0, "heute morgen": 0, "heute früh": 0,
            "heute nachmittag": 0, "heute mittag": 0, "heute nacht": 0, "gestern abend": -1, "gestern morgen": -1, "gestern nachmittag": -1,
            "gestern früh": -1, "morgen früh": 1, "morgen abend": 1, "morgen nachmittag": 1, "morgen vormittag": 1,
        },
        "n": {
            "einem": 1, "einer": 1, "ein": 1, "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
            "zehn": 10, "elf": 11, "zwölf": 12, "vierzehn": 14, "zwanzig": 20, "dreißig": 30, "ein paar": 3, "einigen": 3, "wenigen": 3, "mehreren": 4,
            "einem halben": 0.5, "anderthalb": 1.5, "eineinhalb": 1.5,
        },
        "around": {"etwa": 1, "ungefähr": 1, "rund": 1, "ca.": 1, "gut": 1, "knapp": 1, "fast": 1, "über": 1},
        "unit": {
            "tag": "day", "tage": "day", "tagen": "day", "woche": "week", "wochen": "week", "monat": "month", "monate": "month", "monaten": "month",
            "quartal": "quarter", "quartale": "quarter", "quartalen": "quarter", "jahr": "year", "jahre": "year", "jahren": "year", "stunde": "hour",
            "stunden": "hour", "minute": "minute", "minuten": "minute",
        },
        "period": {"woche": "week", "wochenende": "weekend", "monat": "month", "monats": "month", "quartal": "quarter", "quartals": "quarter",
                   "jahr": "year", "jahres": "year"},
        "which": {
            **{f"letzte{e}": -1 for e in ("", "n", "r", "s", "m")}, **{f"vergangene{e}": -1 for e in ("", "n", "r", "s", "m")},
            **{f"vorige{e}": -1 for e in ("", "n", "r", "s", "m")}, **{f"diese{e}": 0 for e in ("", "n", "r", "s", "m")},
            **{f"nächste{e}": 1 for e in ("", "n", "r", "s", "m")}, **{f"kommende{e}": 1 for e in ("", "n", "r", "s", "m")},
        },
        "weekday": {**{name: i for i, name in enumerate(_WEEKDAYS)}, "sonnabend": 5},
        "month": {name: i + 1 for i, name in enumerate(_MONTHS)},
    },
    approximate=frozenset({"ein paar", "einigen", "wenigen", "mehreren"}),
    rules=(
        Rule("offset", "vor (?:{around} )?{n} {unit}", shift=-1, not_after=r"\s+(?:(?:vor|nach)\s+(?:dem|der|den|jedem|jeder|ablauf|beginn|ende)|ablauf|beginn|fristende)",
             unless=r"\b(?:jede[rnms]?|jeweils|immer)\b"),
        Rule("offset", "heute in {n} {unit}", shift=1),
        Rule(
            "offset", "in (?:{around} )?{n} (?!stund|minut){unit}", shift=1, needs="!past",
            not_before=r"(?:\b(?:einmal|zweimal|mal|nur|oder|schafft|fertig|erledigt|passiert)|\b(?:ein|eine|jede[rs]?)\s+\w+\s+\w+)\s*",
            not_after=r"\s+(?:oder|erledigt|fertig|umgesetzt|geschafft|gebaut|geschrieben)",
            # bare plurals state a rule: "Links laufen in 2 Tagen ab"
            unless=r"^\W*[a-zäöü]\w+(?:n|s|e|er)(?:\s+(?:zum|zur|für|mit|von)\s+\w+)?\s+(?:laufen|verfallen|erneuern|rotieren)\b",
        ),
        Rule("window", "(?:in|während) den (?:letzten|vergangenen) (?!" + _STANDARD_WINDOW + "){n} {unit}", shift=-1, needs="past"),
        Rule("window", "in den (?:nächsten|kommenden) (?!" + _STANDARD_WINDOW + "){n} {unit}", shift=1),
        Rule("period", "übernächste[nrsm]? {period}", shift=2),
        Rule("period", "vorletzte[nrsm]? {period}", shift=-2),
        Rule("end", "ende {which} (?!wochenende){period}", capital=True),
        Rule("end", "ende (?:der|des) (?!wochenende){period}", capital=True, not_before=r"\b(?:am|zum)\s+(?!$)", not_after=r"\s+(?:jede|eine)"),
        Rule("end", "monatsende", unit="month", capital=True, only_before=r"\b(?:bis|vor)\s+(?:zum\s+)?"),
        Rule("end", "quartalsende", unit="quarter", capital=True, only_before=r"\b(?:bis|vor)\s+(?:zum\s+)?"),
        Rule("end", "jahresende", unit="year", capital=True, only_before=r"\b(?:bis|vor)\s+(?:zum\s+)?"),
        Rule("weekday", "{which} {weekday}", not_before=r"\b(?:jeden|jedem)\s+", not_after=r"\s+(?:des|im|eines)\b"),
        Rule("month", "{which} {month}", shift=None, proper=True, not_before=r"\b(?:der|den|dem|des|im)\s+", not_after=r"\s+\d"),
        Rule(
            "day", "{day}", not_before=rf"\b(?:am|guten|jeden|in\s+der|hier\s+und)\s+|{_LISTED}\s*(?:,|und|oder)\s*",
            not_after=rf"\s*(?:,|und|oder)\s*{_LISTED}|\s*[-+=<>/]|zutage",
        ),
        Rule(
            "weekday", "{weekday}", shift=None, capital=True,
            only_before=r"\b(?:am|bis|bis zum|ab|seit|vor|nach|vom|zum|von|ist|war|beginnt|startet|endet|erst|schon|noch)\s+|:[*_]{0,2}\s+",
            not_before=rf"\b(?:jede[nrms]?|ein|eine[nm]?|der|die|das|den|immer|erste[nr]?|zweite[nr]?|letzte[nr]?|zwischen)\s+"
            rf"|\b{_DAY}\s*(?:,|/|und|oder|bis|-|–)\s*(?:am\s+)?",
            not_after=rf"\s*(?:,|/|-|–|\b(?:und|oder|bis)\b)\s*(?:zum\s+|am\s+)?{_DAY}|\s+(?:im|des|jede[rs]?)\b|s\b|-",
            unless=r"\b(?:jede[nrms]?|nie|niemals|immer|stets|gewöhnlich|wöchentlich|regelmäßig|wenn|falls|kein[e]?|arbeitet|backups?|cron)\b",
        ),
        Rule("period", "{which} {period}", not_before=rf"\b(?:jede[nrms]?|pro)\s+|{_LISTED}\s*(?:,|und|oder)\s*",
             not_after=rf"\s*(?:,|und|oder)\s*{_LISTED}"),
        Rule("vague", "neulich|kürzlich|vor kurzem|unlängst|vor einiger zeit|vor einer weile", shift=-1),
        Rule("vague", "demnächst|in kürze", shift=1, not_after=r"\s+verfügbar"),
        Rule("vague", "bald", shift=1, needs="future", not_before=r"\b(?:so|wie|möglichst|zu|sehr)\s+", not_after=r"\s+(?:wie|nach|vor|möglich|darauf)", unless=r"\b(?:wenn|falls|sobald)\b"),
        Rule("day", "in dieser sitzung|in dieser session", needs="past"),
    ),
    past=(
        r"\b(?:wurden?|war(?:en)?|hatten?|haben|hat|kam(?:en)?|ging(?:en)?|gab|lief(?:en)?|fiel(?:en)?|brach|hing|sagte|bat|seit|ließ|zog|trat|fand|nahm|schrieb|stand|blieb|hielt|rief|sprach|begann|bekam|schlug|verlor|\w{3,}(?:te|ten))\b"
        r"(?<!sollte)(?<!heute)(?<!bitte)(?<!könnte)(?<!müsste)(?<!seite)(?<!seiten)(?<!daten)(?<!warten)(?<!arbeiten)(?<!starten)(?<!halten)(?<!minuten)"
    ),
    future=r"\b(?:wird|werden|soll(?:en|te)?|muss|müssen|beginnt|startet|endet|ist|läuft|geht|kommt|plant|geplant|bis|ab|will|wollen|fällig|frist|zieht|folgt)\b",
    not_before=_GENERIC_VALUE + r"|\b(?:jede[nrms]?|pro)\s+|\b(?:wenn|falls)\s+(?:ein|eine|das|der)\b[^,.;]*",
    not_after=r"\s+(?:-?tab|-?ansicht|-?filter|-?spalte|-?knopf|-?feld)\b",
    unless=r"\bjede[nrms]?\s+(?:tag|woche|monat|morgen|abend|nacht|mal|sitzung|" + _DAY + r")\b|\b(?:standardmäßig|z\.\s?b\.|zum beispiel)",
    titles="first",
    dates=rf"(?:(?:{_DAY},?\s+)?(?:den\s+)?\d{{1,2}}\.\s?{_MONTH}|\d{{1,2}}\.\d{{1,2}}\.|{_MONTH}\s+\d{{4}})",
    as_of=r"\b(?:stand:?|per|zum stand)\s+(?:vom\s+)?{date}",
    deadline_before=(
        r"\b(?:bis(?: zum)?|spätestens(?: am| zum)?|vor dem|frist(?:ende)?(?: ist)?|fällig(?: am)?|deadline(?: ist)?|endet(?: am)?|gültig bis|stichtag(?: ist)?"
        r"|läuft (?:am|bis)|geplant (?:für|am)(?: den)?|(?:startet|beginnt|erscheint) am)(?:\s+(?:der|den|dem|ende))?[\s:*_(]{1,5}"
    ),
    deadline_after=r"\s+(?:fällig|spätestens)\b",
    history=r"\b(?:wurde|war|waren|hatte|abgeschlossen|erledigt|beendet|ausgeliefert|vorbei|früher|seit)\b|✅|\[x\]",
    wording=Wording(
        bare={
            "day": "{date}", "week": "der Woche vom {date}", "weekend": "dem Wochenende vom {date}", "month": "{month}", "quarter": "Q{quarter} {year}",
            "half": "H{half} {year}", "year": "{year}", "range": "zwischen {date} und {last}", "around": "um den {date}",
            "end-week": "Ende der Woche vom {monday}", "vague": "{text} (Stand {date})",
        },
        adverb={
            "day": "am {date}", "week": "in der Woche vom {date}", "weekend": "am Wochenende vom {date}", "month": "im Monat {month}",
            "quarter": "im Quartal Q{quarter} {year}", "half": "im Halbjahr H{half} {year}",
        },
        bare_after=r"\b(?:am|bis|bis zum|ab|seit|vor|nach|vom|zum|von|und|oder|für|im|in)\s+|:[*_]{0,2}\s*|[(|]\s*",
        bare_before=r"\s*(?::|\|)",
        articles=r"\b(?:der|dem|den|am|im|zum|vom)\s+",
        after_article={"week": "Woche vom {date}", "weekend": "Wochenende vom {date}", "month": "Monat {month}", "quarter": "Quartal Q{quarter} {year}",
                       "half": "Halbjahr H{half} {year}", "year": "Jahr {year}"},
        joins=((r"\bvon\s+", "vom {date}"), (r"\bfür\s+", "für den {date}"), (r"\bseit\s+", "seit dem {date}"), (r"\bab\s+", "ab dem {date}"), (r"\bbis\s+(?:zum\s+)?", "bis zum {date}"), (r"\bvor\s+", "vor dem {date}")),
        parts={"heute morgen": "am Morgen des {date}", "heute abend": "am Abend des {date}", "gestern abend": "am Abend des {date}", "heute früh": "am Morgen des {date}",
               "heute nacht": "in der Nacht des {date}", "morgen früh": "am Morgen des {date}", "heute nachmittag": "am Nachmittag des {date}"},
    ),
)
