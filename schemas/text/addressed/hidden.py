"""Words that a paper hides from readers: in characters that are not drawn, in encodings, in markup that shows nothing."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_TAGS = re.compile("[\U000e0020-\U000e007e]{8,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
_NO_WIDTH = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u180e]{16,}")
_NOT_DRAWN = re.compile(
    r"<[a-z]{1,12}\b[^<>]{0,400}?(?:\shidden(?=[\s>])|display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d]*[1-9])|"
    r"font-size\s*:\s*0(?![.\d]*[1-9])|(?<!-)color\s*[:=]\s*[\"']?(?:white|#fff\b|#ffffff|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\)|transparent))"
    r"[^<>]{0,400}>(?P<words>[^<]{20,})"
    r"|\\(?:textcolor|color)\s*\{\s*white\s*\}\s*\{?(?P<tex>[^{}\n]{20,})",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?<=[A-Za-z0-9+/]{20})\r?\n(?=[A-Za-z0-9+/]{2,}={0,2}[ \t]*(?:\n|\Z))")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_BASE32 = re.compile(r"\b[A-Z2-7]{24,}={0,6}")
_HEX = re.compile(r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ ,:;]{0,2}){12,}")
_BITS = re.compile(r"(?:[01]{8}[ ,]?){8,}")
_ESCAPED = re.compile(r"\\u\{?([0-9A-Fa-f]{4,6})\}?|\\x([0-9A-Fa-f]{2})")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_NOT_READ = dict.fromkeys(
    [
        0xAD,
        0x34F,
        0x61C,
        0x180E,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
        *range(0xFE00, 0xFE10),
    ]
)


def without_marks(text: str) -> str:
    """The text without characters that are not drawn: what stands between them reads on."""
    return text if text.isascii() else text.translate(_NOT_READ)


def unseen(text: str) -> Iterator[tuple[str, int, str]]:
    """(how, place, words) of what is hidden so that no reader could see it; words are '' where they cannot be told."""
    for match in _TAGS.finditer(text):
        yield (
            "in characters that are not drawn",
            match.start(),
            "".join(chr(ord(c) - 0xE0000) for c in match[0]),
        )
    for match in _SELECTORS.finditer(text):
        octets = bytes(ord(c) - 0xFE00 if ord(c) < 0xFE10 else ord(c) - 0xE00F0 for c in match[0])
        yield "in characters that are not drawn", match.start(), octets.decode("utf-8", "replace")
    for match in _NO_WIDTH.finditer(text):
        yield f"{len(match[0])} characters without width in a row", match.start(), ""
    for match in _NOT_DRAWN.finditer(text):
        words = (match["words"] or match["tex"])[:2000]
        if "background" not in match[0][:400].lower() and sum(c.isalpha() for c in words) >= 15:
            yield "in markup that is not shown", match.start(), words


def encoded(text: str) -> Iterator[tuple[str, str, str]]:
    """(how, the code's beginning or '' for the text as a whole, words) of what stands in the text in another encoding."""
    plain = _JOINED.sub("", text)
    for how, pattern, decode in _CODES:
        for match in pattern.finditer(plain):
            if words := _words(decode, match[0]):
                yield how, match[0][:20], words
    if "&" in text and (words := html.unescape(text)) != text:
        yield "in HTML characters", "", words
    if "%" in text and (words := unquote(text, errors="replace")) != text:
        yield "in an address", "", words
    if "\\" in text and (words := _ESCAPED.sub(_character, text)) != text:
        yield "in escapes", "", words
    if _BIDI.search(text):
        yield "in text that reads from right to left", "", "\n".join(line[::-1] for line in text.split("\n"))


def _character(match: re.Match[str]) -> str:
    number = int(match[1] or match[2], 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else match[0]


def _words(decode: Callable[[str], bytes], code: str) -> str:
    """What a code says, '' if it says nothing that can be read."""
    try:
        octets = decode(code)
    except (binascii.Error, ValueError):
        return ""
    for form in ("utf-8", "utf-16-le"):
        try:
            words = octets.decode(form)
        except UnicodeDecodeError:
            continue
        if sum(c.isprintable() or c.isspace() for c in words) > 0.95 * len(words):
            return words
    return ""


def _of_base64(code: str) -> bytes:
    bare = code.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(bare[: len(bare) - (len(bare) % 4 == 1)] + "=" * (-len(bare) % 4))


def _of_base32(code: str) -> bytes:
    bare = code.rstrip("=")
    return base64.b32decode(bare[: len(bare) // 8 * 8])


def _of_hex(code: str) -> bytes:
    return bytes.fromhex("".join(re.findall(r"(?:0x|\\x)?([0-9A-Fa-f]{2})", code)))


def _of_bits(code: str) -> bytes:
    return bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", code))


_CODES: tuple[tuple[str, re.Pattern[str], Callable[[str], bytes]], ...] = (
    ("in base64", _BASE64, _of_base64),
    ("in base32", _BASE32, _of_base32),
    ("in hexadecimal numbers", _HEX, _of_hex),
    ("in binary numbers", _BITS, _of_bits),
)
