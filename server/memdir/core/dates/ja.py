"""Japanese."""

from __future__ import annotations

from memdir.core.dates.table import STANDARD_WINDOW as _STANDARD_WINDOW
from memdir.core.dates.table import Language, Rule, Wording

_LIST = r"\s*(?:[、,/・~～〜\-–]|と|や|か|または|から|および)\s*"
_RELATIVE = "(?:今日|昨日|明日|本日|[今先来](?:週|月|年)|昨年|去年)"
# Counted from an event, not from the day of writing: "作成から30日後", "締切の3日前", "期限3日前".
_EVENT = (
    "作成|登録|発行|期限|締め?切り?|リリース|公開|開始|終了|完了|更新|削除|受信|送信|購入|注文|契約|ログイン|満了|有効期限|イベント|会議|納期|期日|出荷|到着|投稿|保存|取得|提出|毎|第"
    "|最大|最短|最長|以上|その|同|翌|前"
)
_HOLDER = "トークン|セッション|リンク|ログ|パスワード|キャッシュ|バックアップ|チケット|データ|ファイル"
# "本日の終値", "今月の売上": figures and parts of a page.
_TERMS = (
    "の(?:終値|始値|高値|安値|株価|清算|残高|売上|日付|天気|予定一覧|おすすめ|ランキング|タスク一覧|データ(?!ベース)|レート|為替|件数|集計|値|レポート)|タブ|ボタン|画面|列|欄|ビュー|フィルタ"
)
_WEEKDAYS = {name: i for i, name in enumerate("月火水木金土日")}

LANGUAGE = Language(
    code="ja",
    space=r"[ \t　]?",
    left_edge=r"(?<![\d.])",
    right_edge="",
    anchors=(
        r"[昨今明][日年夜晩朝]|本日|おととい|きのう|あした|あさって|明後日|[先今来][々]?週|再来|[先今来]月|[去来本]年|昨年|おととし"
        r"|[日週月年間期](?:半)?(?:以上|ほど)?[前後]|[月火水木金土日]曜|[月年度]末|[今来前昨]四?半?期|[今来昨]年度|先日|この前|この間|最近|近日|近いうち|近々|もうすぐ|まもなく|先ほど|さきほど|過去|セッション"
    ),
    numerals="一二三四五六七八九十",
    approximate=frozenset({"数", "何"}),
    slots={
        "day": {
            "一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "昨夜": -1, "昨晩": -1, "本日": 0, "今日": 0, "今朝": 0, "今晩": 0, "今夜": 0,
            "先ほど": 0, "さきほど": 0, "明日": 1, "あした": 1, "明朝": 1, "明晩": 1, "明後日": 2, "あさって": 2,
        },
        "n": {"数": 3, "何": 3, "半": 0.5},
        "around": {"約": 1, "およそ": 1},
        "half": {"半": 0.5},
        "unit": {
            "日": "day", "週間": "week", "週": "week", "か月": "month", "ヶ月": "month", "カ月": "month", "ヵ月": "month", "ケ月": "month",
            "箇月": "month", "四半期": "quarter", "年": "year", "時間": "hour", "分": "minute",
        },
        "unit2": {
            "日": "day", "週間": "week", "週": "week", "か月": "month", "ヶ月": "month", "カ月": "month", "ヵ月": "month", "ケ月": "month",
            "箇月": "month", "四半期": "quarter", "年": "year",
        },
        "which": {"先々": -2, "先": -1, "今": 0, "来": 1, "再来": 2, "さ来": 2},
        "which2": {"一昨年": -2, "おととし": -2, "昨年": -1, "去年": -1, "今年": 0, "本年": 0, "来年": 1, "再来年": 2},
        "which3": {"前": -1, "今": 0, "来": 1},
        "weekday": dict(_WEEKDAYS),
        "month": {str(i): i for i in range(1, 13)},
    },
    rules=(
        Rule(
            "offset", "(?:{around})?{n}{unit}{half}?(?:ほど|くらい|以上)?前(?![後提半者回期方払月年日週])", shift=-1,
            not_before=rf"(?:{_EVENT})\s*(?:日|時|後)?\s*(?:の|から|より)?\s*|[\d年月]\s*|の\s*(?<!その)", not_after="までに|に(?:通知|連絡|申請|凍結|提出)",
        ),
        Rule("offset", "半年(?:ほど)?前(?![後半])", shift=-1, unit="half", not_before="の"),
        Rule(
            "offset", "(?:{around})?{n}{unit2}{half}?(?:ほど|くらい)?後(?![半期続方者])", shift=1, needs="!past",
            not_before=rf"(?:{_EVENT}|{_HOLDER})\s*(?:日|時)?\s*(?:の|から|より|は)?\s*|から\s*|[\d年月]\s*", not_after="に自動|自動",
        ),
        Rule("window", "(?:過去|ここ|この|直近)(?!" + _STANDARD_WINDOW + "){n}{unit2}(?:間)?", shift=-1, needs="past"),
        Rule("weekday", "{which}週の?{weekday}(?:曜日?|(?=[にのはまか、。]))", unit="week"),
        Rule("period", "{which}週末", unit="weekend"),
        Rule("period", "{which}週", unit="week", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}"),
        Rule("end", "{which}月末", unit="month"),
        Rule("monthday", "{which}月{dom}日"),
        Rule("period", "{which}月(?!謝|給|経)", unit="month", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}", not_before="再?々"),
        Rule("end", "月末(?=まで)", unit="month", not_before=r"[\d一二三四五六七八九十毎各今来先当翌]"),
        Rule("end", "年末(?=まで|に(?:は|予定|移行|終了|完了|リリース|廃止))", unit="year", not_before=r"[\d毎各今来昨当翌去]"),
        Rule("end", "{which2}(?:年)?末", unit="year"),
        Rule("period", "{which3}四半期", unit="quarter", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}"),
        # Fiscal years and terms start where the company says: no date.
        Rule("vague", "昨年度|前年度", shift=-1, not_before="[\\d各]", not_after="比|同|の?実績"),
        Rule("vague", "今年度|来年度|来期|今期", shift=1, not_before="[\\d各]", not_after="の(?:列|値)"),
        Rule("month", "{which2}の?{month}月{dom}日"),
        Rule("month", "{which2}の?{month}月(?!\\d)"),
        Rule("period", "{which2}(?!度|代|末)", unit="year", not_after=f"{_TERMS}|{_LIST}{_RELATIVE}", not_before=f"{_RELATIVE}{_LIST}"),
        Rule(
            "day", "(?!今日子|明日(?:香|菜|海|美|子|葉|奈)|明日(?:ヶ|が)|明朝体)(?<!日)(?<!一)(?<!毎){day}",
            not_after=f"{_TERMS}|{_LIST}{_RELATIVE}", not_before=f"{_RELATIVE}{_LIST}|デフォルト(?:は|で)|既定値?(?:は|で)|たとえば|例えば",
        ),
        Rule(
            "weekday", "{weekday}曜日?(?=までに?|に|から(?!.{1,8}曜)|の(?:朝|午前|午後|夕方|夜|会議|デモ)|、)", shift=None,
            not_before=rf"毎週?の?|隔週の?|第\s?[\d一二三四五]\s?|[先今来翌]週の?|曜日?{_LIST}|各|最終|最初の|[\d日][（(]",
            not_after=rf"日?{_LIST}[月火水木金土日]曜|(?:から|に).{{0,10}}[月火水木金土日]曜|に(?:は)?(?:必ず|いつも)",
            unless="毎週|毎朝|毎日|いつも|必ず|原則|通常|ごとに|定例|もし|禁止|しない(?:こと|で)",
        ),
        Rule("vague", "先日|この前|この間|つい最近|以前から", shift=-1, not_after="の日付|付け"),
        Rule("vague", "最近", shift=-1, needs="past", not_after="の|使|開|追加し|更新され|傍|接|[\\d一二三]"),
        Rule("vague", "近いうちに|近々|もうすぐ|まもなく|近日中に", shift=1, not_after="公開"),
        Rule("day", "(?:この|今回の|本)セッション(?:中に|内で|で)", needs="past", not_after="のみ|だけ"),
        Rule("vague", "次回?のセッション(?:で|に)", shift=1, not_after="開始|は|も必ず"),
    ),
    past="した(?!い|ら|ほうが|方が|もの)|った(?!ら|ほうが)|いた(?!ら|だ|し|い)|れた|きた|えた|だった|ました|でした|ている|てきた|済み",
    future="する|予定|まで|から|ます|いる|なる|べき|必要|しない|切れる|失効",
    unless="毎(?:日|週|月|年|朝|晩|回)|ごとに|例えば|たとえば|デフォルト",
    as_of=r"{date}\s*(?:時点|現在)",
    deadline_before=r"(?:期限|締め?切り?|納期|期日|リリース予定日?|廃止予定日?|終了日)\s*(?:は|が)?[\s:：*_（(]{0,4}",
    deadline_after=r"\s*(?:まで|迄|が?締め?切|が?期限|に(?:終了|失効|廃止|リリース|公開|開始|移行|切れる))",
    history="した(?!い)|だった|ました|済み|完了|✅|\\[x\\]",
    wording=Wording(
        halves=("上", "下"),
        bare={
            "day": "{date}", "week": "{date}の週", "weekend": "{date}の週末", "month": "{year}年{m}月", "quarter": "{year}年第{quarter}四半期",
            "half": "{year}年{half}半期", "year": "{year}年", "range": "{date}から{last}まで", "around": "{date}頃", "end-week": "{monday}の週の終わり",
            "vague": "{text}（{date}時点）",
        },
        adverb={
            "day": "{date}に", "week": "{date}の週に", "weekend": "{date}の週末に", "month": "{year}年{m}月に", "quarter": "{year}年第{quarter}四半期に",
            "half": "{year}年{half}半期に", "year": "{year}年に", "around": "{date}頃に", "end-week": "{monday}の週の終わりに",
        },
        bare_before=r"\s*(?:[、。，．,.:：)）|]|の|に|は|が|を|も|と|へ|で(?!き)|から|まで|より|頃|ごろ|中|末|初|付|以|$)",
        parts={"今朝": "{date}の朝", "今晩": "{date}の晩", "今夜": "{date}の夜", "昨夜": "{date}の夜", "昨晩": "{date}の晩", "明朝": "{date}の朝", "明晩": "{date}の晩"},
    ),
)
