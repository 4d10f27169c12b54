"""Korean. Words take particles without a blank, so what may follow a hit is listed in `right_edge`."""

from __future__ import annotations

from memdir.core.dates.table import STANDARD_WINDOW as _STANDARD_WINDOW
from memdir.core.dates.table import Language, Rule, Wording

_PARTICLES = (
    "에서는|에서|에는|에도|에|은|는|이나|이라|이며|이고|이었다|였다|이다|이|가|을|를|의|도|만|부터|까지는|까지|으로|로|와|과|랑|쯤|경|자|엔|중|내|안|초|말|밤|아침|오전|오후|저녁|새벽"
)
_LIST = r"\s*(?:[,/·~\-–]|와|과|및|또는|부터|에서|이나)\s*"
_RELATIVE = r"(?:오늘|어제|내일|(?:지난|이번|다음)\s*(?:주|달|분기|해)|작년|올해|내년)"
# Counted from an event, not from the day of writing: "출시 2주 전", "생성 7일 후".
_EVENT = (
    "생성|등록|만료|출시|배포|릴리스|마감|시작|종료|완료|삭제|수정|업데이트|수신|발송|구매|주문|계약|로그인|가입|제출|승인|결제|회의|이벤트|기한|유효기간|최대|최소|매|제|약정|발급|그|당"
)
_HOLDER = "토큰|세션|링크|로그|비밀번호|캐시|백업|티켓|데이터|파일|초대"
_TERMS = r"의?\s*(?:종가|시가|고가|저가|환율|잔액|매출|날짜|날씨|할\s*일|추천|인기|데이터(?!베이스)|통계|집계|정산|값|탭|버튼|화면|열|필터)"
_WEEKDAYS = {name: i for i, name in enumerate("월화수목금토일")}

LANGUAGE = Language(
    code="ko",
    space=r"[ \t]{0,2}",
    left_edge=r"(?<![가-힣\d.])",
    right_edge=rf"(?=(?:{_PARTICLES})?(?:[^가-힣]|$))",
    anchors=(
        r"오늘|어제|어젯밤|엊그제|그제|그저께|내일|모레|글피|방금|[일주달년간월기]\s{0,2}[전후뒤]|이틀|사흘|나흘|열흘|보름|(?:지난|저번|이번|다음|다다음)\s{0,2}[주달분해월화수목금토일]|[작금내재]년|올해|재작년|내후년"
        r"|전월|금월|내월|[월화수목금토일]요일|[월연년]말|분기\s?말|얼마\s?전|며칠|최근|조만간|곧|요전|지난\s?\d|세션"
    ),
    approximate=frozenset({"몇", "몇몇", "수"}),
    slots={
        "day": {
            "그저께": -2, "그제": -2, "엊그제": -2, "어제": -1, "어젯밤": -1, "어제저녁": -1, "오늘": 0, "오늘밤": 0, "오늘아침": 0, "내일": 1, "모레": 2, "글피": 3,
        },
        "n": {
            "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "몇": 3, "몇몇": 3, "수": 3, "일": 1, "이": 2,
            "삼": 3, "사": 4, "오": 5, "육": 6, "십": 10, "석": 3, "넉": 4, "반": 0.5,
        },
        "n2": {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "일주일": 7, "열흘": 10, "보름": 15},
        "around": {"약": 1, "대략": 1},
        "unit": {
            "일": "day", "날": "day", "주": "week", "주일": "week", "주간": "week", "개월": "month", "달": "month", "분기": "quarter", "년": "year", "해": "year",
            "시간": "hour", "분": "minute",
        },
        "unit2": {
            "일": "day", "주": "week", "주일": "week", "주간": "week", "개월": "month", "달": "month", "분기": "quarter", "년": "year",
        },
        "which": {"지지난": -2, "지난": -1, "저번": -1, "이번": 0, "금": 0, "다음": 1, "오는": 1, "다다음": 2},
        "which2": {"재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1, "내후년": 2},
        "which3": {"전월": -1, "금월": 0, "내월": 1},
        "period": {"주": "week", "주말": "weekend", "달": "month", "분기": "quarter", "해": "year"},
        "weekday": dict(_WEEKDAYS),
        "month": {str(i): i for i in range(1, 13)},
    },
    rules=(
        Rule("offset", "(?:{around} )?{n} {unit} 전", shift=-1, not_before=rf"(?:{_EVENT})(?:일|의|하기|되기)?\s*|[\d년월]\s*", not_after=r"에?\s*(?:알림|통지|통보|신청|동결|경고)"),
        Rule("offset", "반년 전", shift=-1, unit="half"),
        Rule("offset", "{n2} 전", shift=-1, unit="day", not_before=rf"(?:{_EVENT})(?:일|의|하기|되기)?\s*"),
        Rule(
            "offset", "(?:{around} )?{n} {unit2} (?:후|뒤)", shift=1, needs="!past", not_before=rf"(?:{_EVENT}|{_HOLDER})(?:일|의|은|는|이|가)?\s*(?:한\s*)?|[\d년월]\s*",
            not_after=r"에?\s*(?:자동|삭제|만료된(?!다)|정리)",
        ),
        Rule("offset", "{n2} (?:후|뒤)", shift=1, unit="day", needs="!past", not_before=rf"(?:{_EVENT}|{_HOLDER})(?:일|의|은|는|이|가)?\s*"),
        Rule("window", "(?:지난|최근) (?!" + _STANDARD_WINDOW + "){n} {unit2}(?: (?:동안|간|사이))", shift=-1, needs="past"),
        Rule("weekday", "{which} 주 {weekday}요일", unit="week"),
        Rule("weekday", "{which} {weekday}요일", not_before=r"매\s*"),
        Rule("end", "{which} 달 말", unit="month"),
        Rule("end", "{which} 분기 말", unit="quarter"),
        Rule("end", "{which2} ?말|{which2} 연말", unit="year"),
        Rule("monthday", "{which} 달 {dom}일"),
        Rule("period", "{which} {period}", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}", not_before=f"{_RELATIVE}{_LIST}"),
        Rule("period", "{which3}", unit="month", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}"),
        Rule("end", "월말(?=까지)", unit="month", not_before=r"[\d매]\s*월?"),
        Rule("end", "연말(?=까지)", unit="year", not_before=r"[\d매]\s*년?"),
        Rule("end", "분기 말(?=까지)", unit="quarter", not_before=r"[\d매]\s*"),
        Rule("month", "{which2} {month}월 {dom}일"),
        Rule("month", "{which2} {month}월"),
        Rule("period", "{which2}", unit="year", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}", not_before=f"{_RELATIVE}{_LIST}"),
        Rule(
            "day", "{day}(?!의\\s*집)", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}|\\s*탭",
            not_before=f"{_RELATIVE}{_LIST}|기본값은?\\s*|예를 들어\\s*|예:\\s*",
        ),
        Rule(
            "weekday", "{weekday}요일(?=까지|에|부터(?!.{1,8}요일)| (?:오전|오후|아침|저녁))", shift=None,
            not_before=rf"매주?\s*|격주\s*|(?:지난|이번|다음)\s*주\s*|요일{_LIST}|매달.{{0,6}}|첫째?\s*|마지막\s*|\d\s*\(",
            not_after=rf"{_LIST}[월화수목금토일]요일|(?:부터|에).{{0,8}}[월화수목금토일]요일|에(?:는|만)",
            unless=r"매주|매일|매달|항상|보통|정기|금지|하지\s*(?:않|말)|마다|만약|반드시",
        ),
        Rule("vague", "얼마 전|며칠 전|요전|엊그저께", shift=-1),
        Rule("vague", "최근", shift=-1, needs="past", not_after=r"(?:에?\s*(?:사용|열|본|추가된|수정된|방문|접속|검색|변경된|업데이트))|\s*[\d한두세몇]|의|접한", unless="최근순"),
        Rule("vague", "조만간", shift=1),
        Rule("day", "(?:이번|이|현재) 세션에서", needs="past", not_after=r"만\b"),
        Rule("vague", "다음 세션(?:에서|에)", shift=1, not_after=r"\s*(?:시작|항상|반드시|는|도)"),
    ),
    past="했|었|았|였|됐|렸|졌|냈|갔|왔|켰|꿨|썼|봤|났",
    future="까지|예정|해야|할|될|시작|부터|한다|된다|만료|끝",
    unless=r"매(?:주|일|달|월|년|번|회)|마다|예를 들어|항상",
    as_of=r"{date}\s*(?:기준|현재)",
    deadline_before=r"(?:마감(?:일)?|기한|만료(?:일)?|종료일|출시일|배포일)\s*(?:은|는|이|가)?[\s:*_(]{0,4}",
    deadline_after=r"\s*(?:까지|마감|만료|종료|이전|전까지|에 (?:종료|만료|출시|시작))",
    history="했다|였다|었다|됐다|완료|✅|\\[x\\]",
    wording=Wording(
        halves=("상", "하"),
        bare={
            "day": "{date}", "week": "{date} 주", "weekend": "{date} 주말", "month": "{year}년 {m}월", "quarter": "{year}년 {quarter}분기",
            "half": "{year}년 {half}반기", "year": "{year}년", "range": "{date}부터 {last}까지", "around": "{date}경", "end-week": "{monday} 주의 끝",
            "vague": "{text}({date} 기준)",
        },
        # Without a particle the date fits as an adverb and before a noun alike: "어제 머지했다", "어제 장애".
        adverb={},
    ),
)
