"""Spanish."""

from __future__ import annotations

from memdir.core.dates.table import STANDARD_WINDOW as _STANDARD_WINDOW
from memdir.core.dates.table import Language, Rule, Wording

_WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_MONTHS = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre")
_MONTH = "(?:ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)[a-z]{0,7}\\.?"
_DAY = "(?:" + "|".join(_WEEKDAYS) + ")"
_LISTED = "(?:hoy|ayer|mañana)"
_GENERIC_VALUE = r"(?:por defecto|fecha de|igual a|significa|p\.\s?ej\.|por ejemplo|como|llamad[oa]|entre|que|carpeta|pestaña|campo|[=<>])\s*"

LANGUAGE = Language(
    code="es",
    common=frozenset("el los las es una y se por para con del al su fue han hay está nos esta este como más desde hasta si cada debe".split()),
    slots={
        "day": {
            "hoy": 0, "ayer": -1, "anteayer": -2, "antes de ayer": -2, "antier": -2, "mañana": 1, "pasado mañana": 2, "esta noche": 0, "esta mañana": 0,
            "esta tarde": 0, "anoche": -1, "ayer por la tarde": -1, "ayer por la mañana": -1, "ayer por la noche": -1, "mañana por la mañana": 1,
            "mañana por la tarde": 1, "mañana por la noche": 1, "hoy por la mañana": 0,
        },
        "n": {
            "un": 1, "una": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "once": 11,
            "doce": 12, "quince": 15, "veinte": 20, "treinta": 30, "unos": 3, "unas": 3, "varios": 4, "varias": 4, "pocos": 3, "pocas": 3, "algunos": 3,
            "algunas": 3, "un par de": 2, "medio": 0.5,
        },
        "around": {"unos": 1, "unas": 1, "casi": 1, "más de": 1, "cerca de": 1, "aproximadamente": 1},
        "unit": {
            "día": "day", "días": "day", "semana": "week", "semanas": "week", "mes": "month", "meses": "month", "trimestre": "quarter", "trimestres": "quarter",
            "año": "year", "años": "year", "hora": "hour", "horas": "hour", "minuto": "minute", "minutos": "minute",
        },
        "period": {"semana": "week", "fin de semana": "weekend", "mes": "month", "trimestre": "quarter", "año": "year"},
        "which": {"pasado": -1, "pasada": -1, "próximo": 1, "próxima": 1, "que viene": 1},
        "which2": {"próximo": 1, "próxima": 1, "pasado": -1, "pasada": -1, "último": -1, "última": -1},
        "weekday": {name: i for i, name in enumerate(_WEEKDAYS)},
        "month": {name: i + 1 for i, name in enumerate(_MONTHS)},
    },
    approximate=frozenset({"unos", "unas", "varios", "varias", "pocos", "pocas", "algunos", "algunas", "un par de"}),
    rules=(
        Rule("offset", "hace (?:{around} )?{n} {unit}", shift=-1, not_after=r"\s+que\s+no\s+se\b"),
        Rule("offset", "(?:{around} )?{n} {unit} atrás", shift=-1),
        Rule("offset", "dentro de (?:{around} )?{n} (?!hora|minuto){unit}", shift=1, not_before=r"\b(?:caducan|expiran|vencen)\s+"),
        Rule("offset", "en (?:{around} )?{n} (?!hora|minuto){unit}", shift=1, needs="!past", not_after=r"\s+(?:de|o)\b",
             not_before=r"\b(?:terminó|hizo|completó|terminad[oa]|hech[oa]|veces|caducan|expiran|vencen)\s+"),
        Rule("window", "(?:en|durante) (?:los|las) (?:últimos|últimas) (?!" + _STANDARD_WINDOW + "){n} {unit}", shift=-1, needs="past"),
        Rule("window", "(?:en|durante) (?:los|las) (?:próximos|próximas) (?!" + _STANDARD_WINDOW + "){n} {unit}", shift=1),
        Rule("end", "(?:el )?fin(?:al|ales)? (?:del|de la|de(?! semana)) (?!fin de){period} {which}"),
        Rule("end", "(?:el )?fin(?:al|ales)? de (?:este|esta) (?!fin de){period}"),
        Rule("end", "(?:el )?fin(?:al|ales)? (?:del|de la|de(?! semana)) (?!fin de){period}", only_before=r"\b(?:a|antes del?|para|hasta|hacia|antes de)\s+(?:el\s+)?",
             not_before=r"\bcada\s+", not_after=r"\s+(?:de cada|siguiente)", unless=r"\bcada\b"),
        Rule("weekday", "(?:el )?{weekday} {which}"),
        Rule("weekday", "(?:el )?{which2} {weekday}", not_after=r"\s+de(?:l| cada)\b"),
        Rule("weekday", "este {weekday}"),
        Rule("period", "(?:el |la )?{period} {which}", not_before=r"\b(?:una?|cada|los|las)\s+"),
        Rule("period", "(?:el |la )?{which2} {period}", not_before=r"\b(?:una?|cada|los|las)\s+", not_after=r"\s+(?:de|del)\b"),
        Rule("period", "(?:este|esta) {period}"),
        Rule("month", "(?:el )?{month} {which}", shift=None),
        Rule("month", "(?:el )?{which2} {month}", shift=None),
        Rule(
            "day", "{day}", not_before=rf"\b(?:la|las|una|por la|de la|cada|buena|todas las|cualquier)\s+|{_LISTED}\s*(?:,|y|o)\s*",
            not_after=rf"\s*(?:,|y|o)\s*{_LISTED}|\s*[-+=<>/]|\s+siguiente|\s+en\s+día\b",
        ),
        Rule(
            "weekday", "el {weekday}", shift=None, only_before=r"(?:\b\w+\s+|^\W*)",
            not_before=rf"\b(?:cada|entre|todos|de|{_DAY},?\s+(?:y|o))\s+", not_after=rf"\s*(?:,|/|-|–|\b(?:y|o|a|al)\b)\s*(?:el\s+)?{_DAY}|\s+(?:de cada|del mes|\d|siguiente|santo)",
            unless=r"\b(?:cada|nunca|siempre|normalmente|semanalmente|si|cuando|salvo|excepto)\b",
        ),
        Rule("weekday", "{weekday}", shift=None, only_before=r"\b(?:antes del|después del|al|hasta el|para el|desde el|a partir del)\s+",
             not_after=rf"\s*(?:,|/|-|–|\b(?:y|o|a|al)\b)\s*(?:el\s+)?{_DAY}|\s+(?:de cada|del mes|\d|siguiente)", unless=r"\b(?:cada|nunca|siempre|si|cuando|del? lunes)\b"),
        Rule("vague", "recientemente|hace poco|el otro día|hace tiempo|últimamente|hace algún tiempo", shift=-1, not_before=r"\b(?:más|menos|usados?|abiertos?|añadidos?|los|las)\s+",
             not_after=r"\s+(?:usad|abiert|añadid|vist|modificad)[oa]s\b"),
        Rule("vague", "próximamente|en breve", shift=1, not_after=r"\s+disponible"),
        Rule("vague", "pronto", shift=1, needs="future", not_before=r"\b(?:tan|más|de|muy|lo más|demasiado|hasta)\s+", not_after=r"\s+(?:como|posible)", unless=r"\b(?:si|cuando)\b"),
        Rule("day", "en esta sesión|durante esta sesión", needs="past"),
    ),
    past=r"\b(?:fue|fueron|era|había|hubo|ha|han|hemos|desde|cambi[óé]|\w+(?:ó|aron|ieron|amos|imos|aba|aban))\b",
    future=r"\b(?:será|serán|va a|van a|debe|deben|previst[oa]|empieza|comienza|termina|caduca|vence|es|antes|hasta|para|sale|vuelve|\w+(?:ará|erá|irá|arán|erán|irán|aremos|eremos|iremos))\b",
    not_before=_GENERIC_VALUE + r"|\b(?:cada|todos los|todas las)\s+|\bsi\s+(?:un|una|la|el)\b[^,.;]*",
    not_after=r"\s+(?:de cada\b|siguientes?\b)",
    unless=r"\b(?:cada|todos los|todas las)\s+(?:días?|semanas?|mes(?:es)?|mañanas?|noches?|vez|sesi[oó]n(?:es)?|" + _DAY + r")\b|\bpor (?:defecto|ejemplo)",
    titles="first",
    dates=rf"(?:(?:{_DAY},?\s+)?\d{{1,2}}\s+de\s+{_MONTH}|{_MONTH}\s+de\s+\d{{4}}|\d{{1,2}}/\d{{1,2}})",
    as_of=r"(?:^\W*al|\(al|\ba fecha de|\bcon fecha)\s+{date}",
    deadline_before=(
        r"\b(?:hasta(?: el)?|antes del?|a más tardar(?: el)?|fecha límite|plazo|vence(?: el)?|caduca(?: el)?|termina(?: el)?|finaliza(?: el)?"
        r"|previst[oa]s? para(?: el)?|para el|(?:empieza|comienza) el)(?:\s+(?:es|el))?[\s:*_(]{1,5}"
    ),
    history=r"\b(?:fue|fueron|era|terminó|terminad[oa]|entregad[oa]|pasó|desde)\b|✅|\[x\]",
    wording=Wording(
        bare={
            "day": "el {date}", "week": "la semana del {date}", "weekend": "el fin de semana del {date}", "month": "{month}", "quarter": "T{quarter} {year}",
            "half": "S{half} {year}", "year": "{year}", "range": "entre el {date} y el {last}", "around": "hacia el {date}",
            "end-week": "el final de la semana del {monday}", "vague": "{text} (a fecha de {date})",
        },
        adverb={"week": "en la semana del {date}", "weekend": "en el fin de semana del {date}", "month": "en {month}", "quarter": "en el T{quarter} {year}",
                "half": "en el S{half} {year}", "year": "en {year}"},
        bare_after=r"\b(?:desde|durante|por|según|antes de|después de|para|hasta|y|o|de|hacia|en)\s+|[(|:][*_]{0,2}\s*",
        bare_before=r"\s+(?:es|era|será)\s+(?:la|el|un|una)\b|\s*(?::|\|)",
        joins=((r"\bdel?\s+", "del {date}"), (r"\bal\s+", "al {date}"), (r"\ba\s+(?:el\s+)?", "el {date}")),
        parts={"esta mañana": "la mañana del {date}", "esta tarde": "la tarde del {date}", "esta noche": "la noche del {date}", "anoche": "la noche del {date}"},
    ),
)
