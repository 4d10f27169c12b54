"""`description-vague`: a description that no question would match."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir.core.directory import fold
from memdir.core.document import Document
from memdir.core.fixing import set_key, type_from_stem, unsafe
from memdir.core.frontmatter import Frontmatter
from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Rule

# Longer ones always hold something to match on (half of all real descriptions have 112 characters or more).
_LONG = 60
_MANY = 6  # blanks: seven words are never all fillers
_WORD = lazy(r"[^\W_]+")
_PLACEHOLDER = lazy(
    r"(?:<[^>]*>|\{\{.*\}\}|\[[^\]]*\]|\W*|x+|to ?do\W*|tbd\W*|n/?a|none|null|待定|待补充|暂无|未定)$", re.I
)
_FILLER = frozenset(
    "stuff thing things note notes misc miscellaneous info information various general random something anything "
    "some content memory memories file description summary detail details topic item items data text other".split()
)
# Words that name a field, not a matter: they need company.
_EMPTY = _FILLER | frozenset(
    "a an the of on in for to and or with about my our your this that it its is are as be project user feedback reference "
    "important useful new old more test tests testing code coding work working update updates todo context setup "
    "rule rules preference preferences tip tips idea ideas issue issues bug bugs fix fixes config settings learnings "
    "relevant key main basic quick short current".split()
)
_CJK = lazy(r"[぀-ヿ㐀-鿿豈-﫿가-힯]")


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None:
        return
    field = header.find("description")
    if field is None or not (value := field.value.strip()) or len(value) > _LONG:
        return
    if value.count(" ") >= _MANY and value != document.name:
        return
    if any(p.key == "description" for p in header.problems):
        return  # what was cut off says more; frontmatter-cut-by-comment names the cause
    message = _fault(document, value)
    if message is not None:
        yield Finding(field.value_span, message, tuple(_fixes(document, header, value)))


def _fault(document: Document, value: str) -> Message | None:
    if _PLACEHOLDER.match(value):
        return msg(
            "“{value}” is a placeholder. Write one line that a reader with the right question would recognise.",
            value=value,
        )
    folded = fold(value)
    if folded == fold(document.name) or folded in _stem_forms(document.stem):
        return msg(
            "The description only repeats the name. Say what the memory holds, in the words of the question it answers."
        )
    if says_little(value):
        return msg(
            "“{value}” says nothing a question could match. Name the matter: what, where, why it is kept.",
            value=value,
        )
    return None


def says_little(value: str) -> bool:
    """True when nothing is left of a description but fillers and words that name a whole field."""
    if _CJK.search(value):
        return len([c for c in value if c.isalnum()]) <= 3
    words = [w.casefold() for w in _WORD.findall(value)]
    telling = [w for w in words if w not in _EMPTY]
    if not telling or len(words) == 1:
        return True
    return len(telling) == 1 and len(words) <= 3 and any(w in _FILLER for w in words)


def _stem_forms(stem: str) -> tuple[str, ...]:
    folded = fold(stem)
    return (folded, folded.split("-", 1)[1]) if type_from_stem(stem) and "-" in folded else (folded,)


def _fixes(document: Document, header: Frontmatter, value: str) -> Iterator[Fix]:
    from memdir.core.prose import first_sentence

    sentence = first_sentence(document)
    if sentence and sentence != value and _fault(document, sentence) is None:
        edit = set_key(document, header, "description", sentence)
        yield unsafe(msg("Use the first sentence: “{text}”", text=sentence), document.edit(edit))


RULE = Rule(
    name="description-vague",
    severity=Severity.WARNING,
    summary=msg("A description says nothing a question could match."),
    rationale=msg(
        "Recall sees the description, not the body. It picks a memory when the description answers the question at "
        "hand, so it must hold the words of that question: “Integration tests must hit a real database, burned by mocks "
        "in Q4” is found when somebody writes a test, “testing stuff” is not. A description that repeats the name, is a "
        "single word or a placeholder is in the same case."
    ),
    check=check,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "feedback_real_db.md",
            bad="---\nname: Real database\ndescription: testing stuff\ntype: feedback\n---\nIntegration tests run against PostgreSQL in a container.\n",
            good="---\nname: Real database\ndescription: Integration tests must hit a real PostgreSQL, burned by mocks in Q4\ntype: feedback\n---\nIn a container.\n",
        ),
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: Role\ntype: user\n---\nTen years of Go, new to React. Explain it by backend terms.\n",
            good="---\nname: Role\ndescription: Backend developer, ten years of Go, new to React\ntype: user\n---\nExplain it by backend terms.\n",
        ),
    ),
)
