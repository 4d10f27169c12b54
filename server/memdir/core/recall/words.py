"""Function words and negation cues: what a search must ignore, and what it must not.

One table per language. Words are written folded (lower case, no accents), as `tokens.fold` gives them. The tables hold
closed word classes (articles, pronouns, prepositions, auxiliaries, question words) and the verbs of asking; content
words are left to the inverse document frequency.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STOP = {
    "en": """a about after again all also am an and any are as at be because been before being between both but by
        can could did do does doing done each either few for from get gets got had has have having he her here hers him
        his how i if in into is it its itself just let like ll may maybe me might more most much must my need needs of
        off on once one only onto or other our ours out over own per please re same shall she should so some such than
        that the their theirs them then there these they this those through to too under until up us use used uses
        using ve very via want wants was we were what when where which while who whom whose why will with would yes you
        your yours ca wo isn tell show give say says know think help thing things way something anything someone now
        still yet already okay ok thanks go going make makes made""",
    "de": """der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde
        wurden hat haben hatte im in am an auf aus bei mit nach von vom zu zum zur fur uber unter um als wie was wer wo
        wann warum welche welcher welches ich du er sie es wir ihr mich mir dich dir ihm ihn uns euch sich man auch nur
        noch schon sehr so dann wenn weil dass da doch mal bitte soll sollen sollte kann konnen konnte muss mussen darf
        durfen mochte will wollen mein meine dein deine sein seine unser unsere ihre diese dieser dieses jede jeder""",
    "fr": """le la les un une des du de d l et ou mais est sont etait sera ete etre a ai as ont avoir dans en sur sous
        par pour avec sans chez vers entre au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos
        leur leurs je tu il elle on nous vous ils elles me te se lui y qui que quoi quel quelle quels quelles ou quand
        pourquoi combien si plus tres aussi bien faut peut doit dois faire fait c s n qu j m t est-ce""",
    "es": """el la los las un una unos unas de del al a y o u pero es son era eran fue ser estar esta estan este estos
        estas ese esa eso en con por para sobre entre desde hasta como cuando donde quien que cual cuales cuanto se
        me te le les nos lo su sus mi mis tu tus nuestro nuestra yo el ella ellos usted ha han hay hacer hace hago
        puede puedo debe debo si mas muy ya tambien""",
    "pt": """o os as um uma uns umas do da dos das no na nos nas ao aos pelo pela e ou mas eh sao era foi ser estar esta
        em com por para sobre entre desde ate como quando onde quem que qual quais se me te lhe nos seu sua seus suas
        meu minha eu ele ela eles voce tem ha fazer faz pode posso deve sim mais muito ja tambem isso este esta""",
    "it": """il lo la gli le un uno una di del della dei delle al alla dal dalla nel nella sul sulla e ed o ma sono era
        essere in con per su tra fra come quando dove chi che quale cosa perche si mi ti vi lo suo sua mio mia io lui
        lei noi voi loro ha hanno ho fare puo posso deve piu molto gia anche questo questa""",
    "ru": """и в во на с со к ко от до из у о об по за под при для без над между через а но или что как так это этот эта
        эти тот та те кто где когда почему зачем какой какая какие который которая я ты он она оно мы вы они мне меня
        тебя его ее их нас вас себя мой моя твой наш ваш свой был была были быть есть будет можно нужно надо если чтобы
        же ли бы уже еще только очень все всех""",
    "cs": """a i v ve na s se k ke o od do z ze u po za pri pro bez nad mezi ale nebo co jak tak to ten ta ty kdo kde
        kdy proc jaky jaka ktery ktera ja on ona ono my vy oni mi me te ho ji je jsem jsi jsme jsou byl byla byly byt
        bude muze mam mate aby kdyz uz jeste jen velmi vse jsem""",
}
STOP: frozenset[str] = frozenset(w for words in _STOP.values() for w in words.split())

# Two characters that carry grammar, not subject. They would make any two sentences of a language look alike.
STOP_CJK: frozenset[str] = _words(
    """的是 了的 是什 什么 怎么 么样 为什 如何 哪里 哪个 哪些 可以 能不 不能 需要 应该 我们 你们 他们 这个 那个 这些 那些
    一个 一下 一些 有没 没有 是否 还是 以及 或者 但是 因为 所以 如果 就是 都是 不是 而不 现在 请问 告诉 帮我 不要 必须 使用 进行 时候 谁在
    何時 場合 以外 必要 可能 方法 下一 用什 去哪 里看 多少 是谁 谁是 在哪 在上 一种 怎样 吗我 我要 我想 想要 之前 之后 何 先 中 上 下 大 小 前 後 后 时 個 个 人
    어떤 어떻 떻게 무엇 언제 어디 누구 누가 있다 있는 우리 나요 가요 세요 습니 니다 는다 어느 정도"""
)

GENERIC: frozenset[str] = _words(
    """add again apply array build call change check class code command compute convert correct create data debug
    default delete difference edit element error example exception execute explain extend extract field file find fix
    follow format function handle help implement improve index input insert instead issue item key last line list log
    look loop make mean message method module move name new next number object old open order output parameter parse
    part place plan point print problem process program project question read refactor remove rename replace result
    return right run sample save script search second set short simple small sort split start step stop string support
    sure task test text thread thing total try tuple turn type understand unit update value variable word work write
    wrong 函数 变量 数组 代码 文件 错误 程序 写一 实现 添加 修改 修复 解释 释一 运行 关数 関数 変数 配列 実装 追加 修正 説明 実行 書 함수 변수 배열
    구현 추가 수정 설명 실행 코드 funktion variable schreib liste datei fehler code hinzu fonction chaine ecrir fichier
    ajout explique corrig erreur funcion cadena escrib archivo codigo anad corrig funcao escrev arquivo codig adicion
    функц переменн напиш файл код исправ добав ошибк funkci promenn napis soubor oprav prida chyb"""
)
"""Words every request to a coding agent is made of. In a small directory their document frequency looks rare, so they
are discounted by table: an index of forty memories can't know that everybody writes "fix the function"."""

NEGATION_BEFORE: frozenset[str] = _words(
    """not no never dont doesnt cannot without avoid avoids neither nor stop forbidden against nicht kein keine keinen
    keinem keiner nie niemals ohne ne pas jamais aucun aucune sans nunca jamas sin ningun ninguna nao nem sem non mai
    senza не нет без никогда нельзя ne nikdy zadny zadne"""
)
"""Words that turn round what follows in their clause."""

NEGATION_HAN: tuple[str, ...] = (
    "不要",
    "不能",
    "不得",
    "不可",
    "不准",
    "不许",
    "不用",
    "禁止",
    "切勿",
    "没有",
    "从不",
    "勿",
    "别",
    "不",
)
"""Chinese cues, longest first; they turn round the rest of their run of Han characters."""

NOT_NEGATION_HAN: frozenset[str] = _words(
    "不同 不仅 不但 不过 不错 不断 不少 不止 不管 不论 别人 别的 特别 级别 类别 分别 区别"
)
"""Words that contain a cue and deny nothing."""

NEGATION_AFTER_JA: tuple[str, ...] = ("ない", "ません", "ずに", "なく", "禁止")
NEGATION_AFTER_KO: tuple[str, ...] = ("않", "없", "말고", "말것", "마라", "금지", "안된", "안됨")
