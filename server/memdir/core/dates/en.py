"""English."""

from __future__ import annotations

from memdir.core.dates import en_words as words
from memdir.core.dates.anchors import COMMON
from memdir.core.dates.table import STANDARD_WINDOW, Language, Rule, Wording

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
LANGUAGE = Language(
    code="en",
    common=frozenset(COMMON["en"]),
    slots={
        "day": {
            "today": 0,
            "yesterday": -1,
            "tomorrow": 1,
            "tonight": 0,
            "this morning": 0,
            "this afternoon": 0,
            "this evening": 0,
            "last night": -1,
            "earlier today": 0,
            "later today": 0,
            "the day before yesterday": -2,
            "day before yesterday": -2,
            "the day after tomorrow": 2,
            "day after tomorrow": 2,
        },
        "n": {
            "a": 1,
            "an": 1,
            "one": 1,
            "two": 2,
            "three": 3,
            "four": 4,
            "five": 5,
            "six": 6,
            "seven": 7,
            "eight": 8,
            "nine": 9,
            "ten": 10,
            "eleven": 11,
            "twelve": 12,
            "fourteen": 14,
            "fifteen": 15,
            "twenty": 20,
            "thirty": 30,
            "ninety": 90,
            "a couple of": 2,
            "a couple": 2,
            "couple of": 2,
            "couple": 2,
            "a few": 3,
            "few": 3,
            "several": 4,
            "half a": 0.5,
            "one and a half": 1.5,
        },
        "around": {
            "about": 1,
            "around": 1,
            "roughly": 1,
            "approximately": 1,
            "almost": 1,
            "nearly": 1,
            "over": 1,
            "more than": 1,
            "less than": 1,
            "at least": 1,
            "some": 1,
        },
        "unit": {
            "day": "day",
            "days": "day",
            "week": "week",
            "weeks": "week",
            "fortnight": "fortnight",
            "fortnights": "fortnight",
            "month": "month",
            "months": "month",
            "quarter": "quarter",
            "quarters": "quarter",
            "year": "year",
            "years": "year",
            "hour": "hour",
            "hours": "hour",
            "minute": "minute",
            "minutes": "minute",
        },
        "period": {
            "week": "week",
            "weekend": "weekend",
            "month": "month",
            "quarter": "quarter",
            "year": "year",
        },
        "which": {
            "last": -1,
            "this past": -1,
            "this": 0,
            "next": 1,
            "the coming": 1,
            "this coming": 1,
            "coming": 1,
        },
        "weekday": {name: i for i, name in enumerate(_WEEKDAYS)},
        "month": {name: i + 1 for i, name in enumerate(_MONTHS)},
    },
    approximate=frozenset({"a couple of", "a couple", "couple of", "couple", "a few", "few", "several"}),
    rules=(
        Rule("offset", "(?:{around} )?{n} {unit} ago", shift=-1),
        Rule("offset", "{n} {unit} from (?:now|today)", shift=1),
        Rule(
            "offset",
            "in (?:{around} )?{n} (?!hour|minute){unit}(?:['’] time)?",
            shift=1,
            needs="!past",
            not_before=r"(?:\b(?:once|twice|times|only|or|fits|done|read|finished|achieved|possible)|\b(?:a|an|each|every|any|all)\s+[\w-]+\s+\w+)\s*",
            not_after=r"\s+(?:of|or)\b|\s*[/)]",
            # bare plurals state a rule: "links expire in 2 days"
            unless=r"\b\w+s\s+(?:expire|vanish|disappear|close|renew|reset|rotate|refresh|time out|lapse|are\s+\w+ed)\s+in\b",
        ),
        Rule(
            "window",
            "(?:in|over|during|within|for|throughout) the (?:last|past) (?!"
            + STANDARD_WINDOW
            + "){n} (?!hour|minute){unit}",
            shift=-1,
            needs="event",
        ),
        Rule(
            "window", "the past (?!" + STANDARD_WINDOW + "){n} (?!hour|minute){unit}", shift=-1, needs="past"
        ),
        Rule(
            "window", "(?:in|over|during|throughout) the past (?!hour|minute){unit}", shift=-1, needs="event"
        ),
        Rule(
            "window",
            "(?:in|over|during|within|for) the (?:next|coming) (?!"
            + STANDARD_WINDOW
            + "){n} (?!hour|minute){unit}",
            shift=1,
            needs="future",
        ),
        Rule("period", "the {period} after next", shift=2),
        Rule("period", "the {period} before last", shift=-2),
        Rule("end", "(?:the )?(?:very )?end of {which} (?!weekend){period}", capital=True),
        Rule(
            "end",
            "(?:the )?(?:very )?end of (?:the )?(?!weekend){period}",
            only_before=r"\b(?:by|before|until|till|through|to|for|(?:goes\s+away|ends?|expires|runs\s+out|leaves|retires|will\s+[\w\s]{1,30})\s+at)\s+(?:the\s+)?",
        ),
        Rule("end", "{period}(?: |-)?end", only_before=r"\b(?:by|before|until|till)\s+(?:the\s+)?"),
        Rule("end", "eow", unit="week", only_before=r"\b(?:by|before|until)\s+", capital=True),
        Rule("end", "eom", unit="month", only_before=r"\b(?:by|before|until)\s+", capital=True),
        Rule("end", "eoq", unit="quarter", only_before=r"\b(?:by|before|until)\s+", capital=True),
        Rule("end", "eoy", unit="year", only_before=r"\b(?:by|before|until)\s+", capital=True),
        Rule(
            "day",
            "{day}",
            not_after=rf"\s*[-+=<>/]|\s+(?:or\s+(?:later|earlier)|(?:plus|minus)\b)|\s*(?:,|and|or|&)\s*{words.LISTED}",
            not_before=rf"{words.LISTED}\s*(?:,|,?\s*and|,?\s*or|&)\s*",
        ),
        Rule("weekday", "{weekday} (?:of )?{which} week", unit="week", capital=True),
        Rule(
            "weekday",
            "{which} {weekday}",
            not_before=r"\b(?:the|every|each)\s+",
            not_after=r"\s+(?:of|in)\s+(?:each|every|the|a|any)\b|s\b",
        ),
        Rule(
            "month",
            "{which} {month}",
            shift=None,
            proper=True,
            not_before=r"\b(?:the|every|each)\s+",
            not_after=r"\s+\d",
        ),
        Rule(
            "weekday",
            "{weekday}",
            shift=None,
            capital=True,
            only_before=r"(?:\b(?:on|at|in|eod|cob|by|until|till|since|before|after|from|for|to|through|this|due|begin(?:s|ning)?|start(?:s|ing)?|end(?:s|ing)?"
            r"|expires?|ships|lands?|launches|opens|closes|leaves|returns|arrives|release|freeze|deadline|out|back|live|is|was|held|moved|merged"
            r"|deployed|shipped|broke|failed|joined|left)(?:\s+(?:late|early))?\s+|:[*_]{0,2}\s+|^\W*)",
            not_before=r"\b(?:the|a|an|our|my|your|their|his|her|weekly|bi-?weekly|any|most|some|one|first|second|third|fourth|last|other|another|"
            r"alternate|good|black|cyber|casual|ash|easter|patch|super|giving|freaky|palm|taco)\s+"
            r"|\b(?:days?|weeks?|months?)\s+(?:from|after|before)\s+"
            r"|\b(?:works|meets?|runs?(?!\s+out)|backups?|resets?|rotat\w+|cron|fires|publishes)\b[^,.;]*\s+"
            rf"|\b{words.DAY}\s*(?:,|/|&|and|or|to|through|thru|until|till|-|–|—)\s*(?:and\s+|or\s+)?(?:on\s+)?|\bbetween\s+",
            not_after=rf"\s*(?:,\s*|/\s*|&\s*|-\s*|–\s*|—\s*|\b(?:and|or|to|through|thru|until|till)\s+)(?:and\s+|or\s+)?(?:on\s+)?{words.DAY}\b"
            r"|\s+(?:of|in)\s+(?:each|every|the|a|any)\b|\s+(?:mornings|afternoons|evenings|nights|times|is|are)\b"
            r"|\s+(?:standups?|syncs?|meetings?|releases?|deploys?|demos?|calls?|retros?|reviews?|reports?|newsletters?|batch|job|jobs|runs?|build|builds)\b",
            unless=r"\b(?:every|each|never|always|usually|typically|generally|weekly|bi-?weekly|recurring|habitually|avoid|unless|whenever|if|do\s*n[o'’]t"
            r"|don['’]t|meetings|weekdays?)\b|^\W*(?:no|only)\s+(?:\w+\s+){0,2}on\b",
        ),
        Rule(
            "period",
            "(?:earlier |later )?{which} {period}",
            not_before=rf"\b(?:the|a|an|any|no|of\s+the|our|your|each|every)\s+|{words.LISTED}\s*(?:,|,?\s*and|,?\s*or)\s*",
            not_after=rf"\s*(?:,|and|or|plus|minus|vs\.?|versus|with|to)\s*{words.LISTED}|\s*[-+=<>/]",
        ),
        Rule(
            "period",
            "the coming {period}|this coming {period}",
            shift=1,
            not_before=r"\b(?:every|each)\s+",
        ),
        # "In this session we renamed X" says when; "this session's token" and "for this session only" do not.
        Rule(
            "day",
            "in this session|during this session",
            needs="past",
            not_after=r"\s+(?:only|store|storage|token|id|state|object|cookie|key)\b|['’]s",
        ),
        Rule("vague", "the other day", shift=-1),
        Rule(
            "vague",
            "a while ago|some time ago|a long time ago|not long ago|long ago",
            shift=-1,
            not_before=r"\b(?:too|how|not)\s+",
        ),
        Rule("vague", "last summer|last winter|last spring|last autumn|last fall", shift=-1, needs="past"),
        Rule("vague", "next summer|next winter|next spring|next autumn|next fall", shift=1, needs="future"),
        Rule(
            "vague",
            "days ago|weeks ago|months ago|years ago",
            shift=-1,
            not_before=r"\b(?:number of|many|n|x|how)\s+",
        ),
        Rule(
            "vague",
            "only recently|very recently|recently",
            shift=-1,
            needs="past",
            not_before=r"\b(?:most|least|more|less|how|too|and|or|as|any|the|a|an|of|by|our|their|which|that|your|all|list|show|shows|sort(?:ed)?)\s+|[-_]",
            not_after=r"\s+(?:used|viewed|opened|added|visited|closed|modified|changed|updated|accessed|played|deleted|seen|created|edited|active|read|searched|watched)\s+"
            r"(?!to\b|the\b|our\b|a\b|an\b|by\b|from\b|for\b|in\b|on\b|with\b|and\b|so\b|its?\b|their\b|his\b|her\b|support\b)\w",
        ),
        Rule(
            "vague",
            "very soon|pretty soon|soon",
            shift=1,
            needs="future",
            not_before=r"\b(?:as|how|too|so|not|sooner|coming|no|that|get\s+well)\s+|[-_/]",
            not_after=r"\s+(?:as|after|afterwards?|before|enough|thereafter|there|to)\b|-",
            unless=r"\b(?:if|when|whenever|once|unless|as soon)\b",
        ),
        Rule(
            "vague",
            "next session",
            shift=1,
            only_before=r"\b(?:deferred|postponed|left|pick(?:ed)? up|continue|resume|finish|to\s?do|will\s+[\w\s]{0,40}|moved|pushed)\s+(?:to|for|until|in|it\s+in)?\s*(?:the\s+)?",
            not_after=r"\s+(?:starts?|begins?|opens?|token|id)\b|['’]s",
        ),
    ),
    past=words.PAST,
    future=words.FUTURE,
    neutral=words.NEUTRAL,
    assumed_future=r"\b(?:on|by|until|till|before|after|from|for|to|through|due)\s+",
    not_before=words.GENERIC_VALUE
    + r"|\b(?:every|each|per|any)\s+|\b(?:if|when|whenever|once|unless)\s+(?:a|an|any|no|the\s+(?:date|day|value|due))\b[^,.;]*"
    r"|\bif\s+(?:it|they|something|anything|the\s+\w+)\s+(?:broke|ran|came|\w+ed)\b[^,.;]*",
    not_after=(
        rf"(?:['’]s)?\s+(?:{words.UI_NOUNS})\b"
        rf"|['’]s\s+(?!(?:[\w-]+\s+){{0,2}}(?:{words.EVENT_NOUNS})\b|(?:[\w-]+\s+){{1,3}}(?:was|were|had|failed|broke|crashed|went|took|came|did)\b)"
        r"|\s+(?:of|in)\s+(?:each|every)\b"
    ),
    unless=(
        r"\b(?:every|each)\s+(?:day|morning|afternoon|evening|night|week|weekend|month|quarter|year|time|session|sprint|run|release|"
        + words.DAY
        + r")\b|\b(?:must|should|do|does)\s*n[o'’]t\s+(?:claim|say|write|assume|mention|answer|promise|use)\b|\bnever\s+(?:say|write|answer|claim|promise|use)\b"
        r"|\b(?:by default|for example|e\.g\.|whenever)|^\W*(?:always|never(?!\s+(?:got|had|heard|saw|received|\w+ed)\b))\b"
    ),
    generic=r"\b(?:tabs?|widgets?|buttons?|filters?|columns?|badges?|menus?|presets?|ranges?|buckets?|partitions?|pickers?|charts?|query|queries|fixtures?|enum|date|dates|report|reports|dashboard|cron|metric|metrics|fetch\w*|sessions? older)\b",
    titles="all",
    next_is_next_week=True,
    dates=rf"(?:(?:{words.DAY},?\s+)?{words.MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b|\d{{1,2}}(?:st|nd|rd|th)?\s+{words.MONTH}\b|{words.MONTH}\s+\d{{4}}|the\s+\d{{1,2}}(?:st|nd|rd|th))",
    as_of=r"\bas\s+(?:of|at)\s+(?:the\s+)?{date}",
    deadline_before=(
        r"\b(?:until|till|through|by|before|(?:no|not) later than|due(?: date)?(?: is)?(?: on| by)?|deadline(?: is)?(?: on)?|ends?(?: on)?|ending(?: on)?"
        r"|expires?(?: on)?|expiry(?: date)?|valid through|closes(?: on)?|cut-?off(?: date)?(?: is)?|eol|end of life|sunset(?: on| date)?|target(?: date)?"
        r"|(?:scheduled|planned|set|due|expected|announced|booked) for|(?:launch(?:es)?|ships|lands|starts|begins|goes live|moves|opens|returns|leaves) on"
        r"|launch date|release date|freeze date)(?:\s+(?:is|the|end of|the end of))?[\s:=*_(→-]{1,6}"
    ),
    deadline_after=r"\s+(?:deadline|at the latest|is the deadline|cut-?off)\b",
    history=(
        r"\b(?:was|were|had|did|done|completed|shipped|ended|expired|finished|released|merged|passed|closed|launched|used|ran|lasted|stayed|relied|previously|formerly|met|over"
        r"|since)\b(?!\s+(?:extended|moved|postponed|pushed|delayed|set|scheduled|planned|agreed|told)\b)|✅|☑|\[x\]"
    ),
    wording=Wording(
        joins=((r"\bat\s+(?:the\s+)?", "on {date}"),),
        bare={
            "day": "{date}",
            "week": "the week of {date}",
            "weekend": "the weekend of {date}",
            "month": "{month}",
            "quarter": "Q{quarter} {year}",
            "half": "H{half} {year}",
            "year": "{year}",
            "range": "between {date} and {last}",
            "around": "around {date}",
            "end-week": "the end of the week of {monday}",
            "vague": "{text} (as of {date})",
        },
        adverb={
            "day": "on {date}",
            "week": "in the week of {date}",
            "weekend": "on the weekend of {date}",
            "month": "in {month}",
            "quarter": "in Q{quarter} {year}",
            "half": "in H{half} {year}",
            "year": "in {year}",
            "end-week": "at the end of the week of {monday}",
        },
        bare_after=r"(?:\b(?:on|at|in|by|until|till|since|before|after|from|of|for|to|through|around|about|between|in|at|during|within|than|early|mid|late"
        r"|and|or|over|throughout)\s+|[:(\[|=~→>]\s*[*_]{0,2}|:[*_]{0,2}\s*)",
        bare_before=r"\s+(?:is|was|were|will\s+be|has\s+been|are)\b|\s*(?::|\||=|→)",
        parts={
            "this morning": "on the morning of {date}",
            "this afternoon": "on the afternoon of {date}",
            "this evening": "on the evening of {date}",
            "tonight": "on the evening of {date}",
            "last night": "on the night of {date}",
        },
        daytime=(r"\s+(morning|afternoon|evening|night)\b", "on the {part} of {date}"),
        owner={
            "day": "the {date}",
            "week": "the week-of-{date}",
            "weekend": "the weekend-of-{date}",
            "month": "the {month}",
            "quarter": "the Q{quarter} {year}",
            "half": "the H{half} {year}",
            "year": "the {year}",
        },
    ),
)
