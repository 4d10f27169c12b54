"""The words by which a text is told to be worth a look, of every language with blanks between words.

They stand apart from the tables so that most texts, and the start of the command line, never load a table. A test holds
the anchors to what the tables say.
"""

from __future__ import annotations

from functools import cache

from memdir.core.lazy_re import lazy
from memdir.core.words import cut, look

CJK = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")

# Of these every hit contains one.
ANCHORS: dict[str, str] = {
    "en": (
        "afternoon ago april august autumn day days december eom eoq eow eoy evening fall february "
        "fortnight fortnights friday hour hours january july june march may minute minutes monday month "
        "months morning night november october quarter quarters recently saturday september session soon "
        "spring summer sunday thursday today tomorrow tonight tuesday wednesday week weekend weeks winter "
        "year years yesterday"
    ),
    "de": (
        "abend april august bald demnächst dezember dienstag donnerstag februar freitag früh gestern "
        "heute jahr jahre jahren jahres jahresende januar juli juni kurzem kürze kürzlich mai minute "
        "minuten mittag mittwoch monat monate monaten monats monatsende montag morgen märz nachmittag "
        "nacht neulich november oktober quartal quartale quartalen quartals quartalsende samstag "
        "september session sitzung sonnabend sonntag stunde stunden tag tage tagen unlängst vorgestern "
        "vormittag weile woche wochen wochenende zeit übermorgen"
    ),
    "fr": (
        "an année années ans août avril bientôt demain dernièrement dimanche décembre end février heure "
        "heures hier hui janvier jeudi jour jours juillet juin longtemps lundi mai mardi mars matin "
        "mercredi midi minute minutes mois novembre nuit octobre peu prochainement récemment samedi "
        "semaine semaines septembre session soir temps trimestre trimestres vendredi weekend"
    ),
    "es": (
        "abril agosto anoche anteayer antier ayer año años breve diciembre domingo día días enero febrero "
        "hora horas hoy jueves julio junio lunes martes marzo mayo mañana mes meses minuto minutos "
        "miércoles noche noviembre octubre poco pronto próximamente recientemente semana semanas "
        "septiembre sesión sábado tarde tiempo trimestre trimestres viernes últimamente"
    ),
}

# Frequent short words, by which languages are told apart; the most frequent ones first.
COMMON: dict[str, tuple[str, ...]] = {
    code: tuple(words.split())
    for code, words in {
        "en": (
            "the is are were of and to with for by we he she it this that not from has have been be will "
            "they you which when was so but our their as if at by"
        ),
        "de": (
            "der die das und ist ein eine wird wurde mit auf für nicht von den dem im wir sind auch noch "
            "nach bei haben hat werden zum zur wenn sich läuft geht kam keine muss bis sein sie er ich es "
            "vom beim oder aber nur soll kann über unter ab vor seit alle"
        ),
        "fr": (
            "le les des est une et du dans pour nous avons sur pas qui au été sont ce cette il elle par "
            "avec aux ont se doit sera où ou mais leur ses cet plus il y depuis avant après jusqu"
        ),
        "es": (
            "el los las es una y se por para con del al su fue han hay está nos esta este como más desde "
            "hasta si cada debe pero sus sin sobre también antes ser al muy ya"
        ),
    }.items()
}


def keys_of(word: str) -> set[bytes]:
    """What `memdir.core.words` cuts `word` to, in small letters, with a capital, in capitals. Where a byte of a capital
    letter cuts it, its longest part stands for it."""
    return {max(cut(form), key=len) for form in (word, word.capitalize(), word.upper())}


@cache
def _keys() -> frozenset[bytes]:
    return frozenset(key for anchors in ANCHORS.values() for word in anchors.split() for key in keys_of(word))


def may_hold(text: str) -> bool:
    """Whether a text may hold a date of any language; false says that none of its parts does."""
    seen = look(text)
    return not _keys().isdisjoint(seen.words) or (seen.foreign and CJK.search(text) is not None)
