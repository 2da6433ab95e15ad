"""Text as a reader of meaning sees it: without marks, spaces, accents or case, look-alike letters as Latin ones."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

from schemas.text.visible import one_visible_line

_LOWER = (
    "аa еe оo рp сc хx уy іi јj ѕs һh ԁd ӏl ԛq ԝw кk мm тt вb нh гr пn ёe αa οo ρp νv ιi κk τt υu χx ηn εe βb γy ωw σo "
    "μu ɑa ɡg ɩi ıi łl øo đd ħh ŧt ƒf ǝe ɐa ɔc ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz "
    "օo ոn սu հh ցg զq"
)
_UPPER = (
    "АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ԌG ӀI ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG "
    "ᎻH ᏆI ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ"
)
_ALIKE = str.maketrans(
    {
        **{pair[0]: pair[1] for pair in f"{_LOWER} {_UPPER}".split()},
        **{chr(first + n): chr(65 + n) for first in (0x1F1E6, 0x1F150, 0x1F170) for n in range(26)},
    }
)
ALIKE, DIGITS = "with letters that look alike", "with digits for letters"
_DIGITS = str.maketrans("0134578@$!|+", "oieastbasiit")
_NO_LETTER = re.compile(r"[\W_]+")
_PIECE = 400  # characters of a line looked at together


def folded(text: str) -> str:
    """Letters and digits alone, in lower case, compatible forms as plain ones, without accents."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return _NO_LETTER.sub("", text.casefold())


def latin(text: str) -> str:
    """`folded` with letters of other scripts as the Latin ones that they look like."""
    return folded(text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_ALIKE))


def digits_as_letters(text: str) -> str:
    """`latin` with 1gn0re as ignore; l and i are one letter."""
    return latin(text.translate(_DIGITS)).replace("l", "i")


_FOLDINGS = {"": folded, ALIKE: latin, DIGITS: digits_as_letters}


class Views:
    """A text in pieces, as several foldings see it: where something is found can be quoted from the text itself."""

    def __init__(self, text: str):
        self._pieces = [
            (number, line[start : start + _PIECE])
            for number, line in enumerate(text.split("\n"), 1)
            for start in range(0, len(line), _PIECE)
        ]
        words = [piece for _, piece in self._pieces]
        self._folded = {how: [fold(piece) for piece in words] for how, fold in _FOLDINGS.items()}
        self._ends = {how: list(accumulate(map(len, pieces))) for how, pieces in self._folded.items()}

    def view(self, how: str) -> str:
        """The whole text in one folding: '', ALIKE or DIGITS."""
        return "".join(self._folded[how])

    def quoted(self, how: str, start: int, end: int, longest: int = 160) -> tuple[int, str]:
        """Line (from 1) and words of the text that lie from start to end of a view."""
        ends = self._ends[how]
        first, last = bisect_right(ends, start), bisect_right(ends, end - 1)
        skipped = start - (ends[first - 1] if first else 0)
        words = " ".join(piece for _, piece in self._pieces[first : min(last, first + 2) + 1])
        fold = _FOLDINGS[how]
        place = next((n for n in range(len(words)) if len(fold(words[: n + 1])) > skipped), 0)
        return self._pieces[first][0], one_visible_line(words[place : place + longest], longest)
