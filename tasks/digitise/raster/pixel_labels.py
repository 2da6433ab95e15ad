"""Labels beside a picture's frames: blobs of ink as words; minus signs and powers by their shape, digits by recognition."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tasks.digitise.labels import Letter, Word, may_hold_factor, number
from tasks.digitise.raster.blobs import Blobs, Box, all_there, tall, wide, with_strays
from tasks.digitise.raster.picture import Mask, Picture
from tasks.digitise.raster.pixel_lines import Drawn
from tasks.digitise.raster.recognised import DIGITS, NUMBERS, recognised

_FAR = 5.5  # of the letters' height: the widest gap between a tick and the first letter of its label
_GAP = 0.42  # of the letters' height: between letters of a word
_LARGEST = 70  # pixels: a letter


def words_around(picture: Picture, frames: list[Drawn]) -> list[Word]:
    """The words that stand where labels of frames' sides may, recognised. Raises PrerequisiteError without tesseract."""
    ink = picture.ink()
    for frame in frames:  # a frame's lines and its ticks are no letters
        reach = int(frame.width / 2 + 2)
        for row in (frame.top, frame.bottom):
            ink[
                max(int(row) - reach, 0) : int(row) + reach + 1, int(frame.left) - 2 : int(frame.right) + 3
            ] = False
        for column in (frame.left, frame.right):
            ink[
                int(frame.top) - 2 : int(frame.bottom) + 3,
                max(int(column) - reach, 0) : int(column) + reach + 1,
            ] = False
    within = np.zeros_like(ink)
    for frame in frames:
        within[int(frame.top) + 1 : int(frame.bottom), int(frame.left) + 1 : int(frame.right)] = True
    letters = _letters(ink, within, frames)
    words = _words(letters)
    words = [word for word in words if _near(word.box, frames)][:180]
    return _recognised(picture, words)


def _letters(ink: Mask, within: Mask, frames: list[Drawn]) -> list[Box]:
    """Boxes of connected ink as large as letters, outside of the largest frames, ticks left out."""
    nested = [f for f in frames if any(_holds(o, f) for o in frames if o is not f)]
    outer = within.copy()
    for frame in nested:  # beside an inset its labels lie within the outer frame
        size = 0.25 * (frame.right - frame.left)
        rows = slice(max(int(frame.top - size), 0), int(frame.bottom + size))
        columns = slice(max(int(frame.left - size), 0), int(frame.right + size))
        outer[rows, columns] = False
        outer[int(frame.top) : int(frame.bottom) + 1, int(frame.left) : int(frame.right) + 1] = True
    marked, _ = ndimage.label(ink & ~outer, structure=np.ones((3, 3)))
    found: list[Box] = []
    for place in ndimage.find_objects(marked)[:6000]:
        box = (place[1].start, place[0].start, place[1].stop, place[0].stop)
        if tall(box) <= _LARGEST and wide(box) <= 2 * _LARGEST and not _is_tick(box, frames):
            found.append(box)
    return found


def _holds(outer: Drawn, inner: Drawn) -> bool:
    return (
        outer.left <= inner.left
        and inner.right <= outer.right
        and outer.top <= inner.top
        and inner.bottom <= outer.bottom
    )


def _is_tick(box: Box, frames: list[Drawn]) -> bool:
    """Whether a blob touches a frame's side, as what a frame's removal leaves of a tick."""
    for f in frames:
        near = f.width + 3.5
        thin = min(tall(box), wide(box)) <= 2 * f.width + 2
        if thin and (
            f.left - 4 < box[0] < f.right + 4 and min(abs(box[1] - f.bottom), abs(box[3] - f.top)) < near
            or f.top - 4 < box[1] < f.bottom + 4 and min(abs(box[0] - f.right), abs(box[2] - f.left)) < near
        ):  # fmt: skip
            return True
    return False


def _words(letters: list[Box]) -> list[Blobs]:
    """Blobs that stand side by side, also raised ones."""
    heights = [tall(b) for b in letters if tall(b) >= 6]
    if not heights:
        return []
    usual = float(np.median(heights))
    words: list[Blobs] = []
    for box in sorted(letters):
        if tall(box) > 2.2 * usual or tall(box) < 2 and wide(box) < 2:
            continue
        for word in reversed(words[-200:]):
            last = word.box
            size = max(max(tall(b) for b in word.boxes), 0.7 * usual)
            overlap = min(last[3], box[3]) - max(last[1], box[1])
            if (
                -0.2 * size <= box[0] - last[2] <= _GAP * size
                and overlap > -0.15 * size
                and _same_line(word, box, size)
            ):
                word.boxes.append(box)
                break
        else:
            words.append(Blobs([box]))
    words = [w for w in words if max(tall(b) for b in w.boxes) >= 5]
    with_strays(words, letters)
    return words


def _same_line(word: Blobs, box: Box, size: float) -> bool:
    base = max(b[3] for b in word.boxes)
    if max(map(tall, word.boxes)) < 0.5 * tall(box):  # a sign, or a point: it lies beside the letter
        return box[1] < base < box[3] + 0.3 * tall(box)
    return -1.2 * size < box[3] - base < 0.4 * size


def _near(box: Box, frames: list[Drawn]) -> bool:
    """Whether words stand near a side of a frame, where labels may."""
    size = max(tall(box), 8)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for f in frames:
        across = f.left - 3 * size < x < f.right + 3 * size
        along = f.top - 2 * size < y < f.bottom + 2 * size
        reach = _FAR * size + 0.03 * (f.right - f.left)
        if across and (-2 < box[1] - f.bottom < reach or -2 < f.top - box[3] < reach):
            return True
        if along and (-2 < box[0] - f.right < reach or -2 < f.left - box[2] < reach):
            return True
    return False


def _with_times(words: list[Word]) -> list[Word]:
    """6, x and 10^3 that stand in a row as one word."""
    found: list[Word] = []
    for word in sorted(words, key=lambda word: word.box[0]):
        if re.fullmatch(r"10\^-?\d{1,2}", word.text.replace("\u2212", "-")):
            near = [
                w
                for w in found
                if abs(w.base - word.base) < 0.25 * word.size
                and 0 <= word.box[0] - w.box[2] < 1.2 * word.size
            ]
            times = next((w for w in near if re.fullmatch("[xX\u00d7]{1,2}", w.text)), None)
            digit = next(
                (
                    w for w in found
                    if times is not None and re.fullmatch(r"\d(\.\d+)?", w.text) and abs(w.base - word.base) < 0.25 * word.size
                    and -1 <= times.box[0] - w.box[2] < 1.2 * word.size
                ),
                None,
            )  # fmt: skip
            if times is not None and digit is not None:
                found = [w for w in found if w is not times and w is not digit]
                sign = replace(
                    times.letters[0], text="\u00d7", line=word.letters[0].line, size=word.letters[0].size
                )
                head = [
                    replace(letter, line=word.letters[0].line, size=word.letters[0].size)
                    for letter in digit.letters
                ]
                word = Word([*head, sign, *word.letters])
        found.append(word)
    return found


def _in_words(picture: Picture, found: list[Word], words: list[Blobs]) -> list[Word]:
    """Words that are no numbers, recognised once more as any letters: titles, and factors at an axis' end."""
    odd = [
        k
        for k, word in enumerate(found)
        if number(word.text, False) is None and number(word.text, True) is None
    ]
    grey = np.clip(255 - np.minimum(picture.far(), 255), 0, 255).astype(np.uint8)
    boxes = [words[k].box for k in odd]
    crops = [np.pad(grey[b[1] : b[3], b[0] : b[2]], 4, constant_values=255) for b in boxes]
    texts = recognised(crops, [float(tall(b)) for b in boxes])
    for k, text in zip(odd, texts, strict=False):
        first = found[k].letters[0]
        left, _, right, _ = words[k].box
        text = (text or "\ufffd").replace("\u2014", "-").replace("\u2013", "-").replace(" ", "")[:200]
        text = re.sub(r"^[lI|](?=[eE][+-]?\d)", "1", text)
        on_line = "^" in found[k].text and re.fullmatch(r"[+-]?[\d.,]+", text)
        counts = number(text, False) is not None or number(text, True) is not None or may_hold_factor(text)
        lost = counts and (words[k].unexplained or not all_there(text, words[k].boxes))
        if lost or on_line or re.fullmatch(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", text):
            text = "\ufffd" + text  # its power is no digit on the line; its sign was not sure
        step = (right - left) / len(text)
        found[k] = Word([
            replace(first, text=letter, u0=left + n * step, u1=left + (n + 1) * step)
            for n, letter in enumerate(text)
        ])  # fmt: skip
    return found


def _recognised(picture: Picture, words: list[Blobs]) -> list[Word]:
    """Words as letters with places, upwards from the picture's lower edge. What is raised stands higher, as in a PDF."""
    grey = np.clip(255 - np.minimum(picture.far(), 255), 0, 255).astype(np.uint8)
    parts: list[tuple[int, str, list[Box]]] = []  # word, kind, blobs
    for place, word in enumerate(words):
        parts += [(place, kind, boxes) for kind, boxes in _parted(word)]
    read: dict[int, str] = {}
    for kind, only in (("line", NUMBERS), ("power", DIGITS)):
        asked = [boxes for _, k, boxes in parts if k == kind]
        crops = [np.pad(_only(grey, boxes), 4, constant_values=255) for boxes in asked]
        texts = recognised(crops, [float(tall(Blobs(boxes).box)) for boxes in asked], only)
        read |= {
            id(boxes): _with_points(text, boxes) if all_there(text, boxes) else "\ufffd"
            for boxes, text in zip(asked, texts, strict=False)
        }
    read = _one_sign(read)
    found: list[Word] = []
    kept: list[Blobs] = []
    for place in range(len(words)):
        letters: list[Letter] = []
        mine = [part for part in parts if part[0] == place]
        line = [boxes for _, kind, boxes in mine if kind == "line"]
        if not line:
            continue
        base = picture.height - Blobs(line[0]).box[3]
        size = tall(Blobs(line[0]).box) / 0.72
        for _, kind, boxes in mine:
            left, top, right, bottom = Blobs(boxes).box
            text = {"minus": "-", "raised minus": "-", "unclear": "\ufffd"}.get(kind) or read.get(
                id(boxes), ""
            )
            up = kind in ("power", "raised minus")
            text = text or "\ufffd"
            step = (right - left) / len(text)
            letters += [
                Letter(
                    letter, left + k * step, picture.height - bottom, left + (k + 1) * step, picture.height - top,
                    base + 0.4 * size if up else base, 0.7 * size if up else size, (0, 0, 0),
                )
                for k, letter in enumerate(text)
            ]  # fmt: skip
        if words[place].unexplained:
            letters.insert(0, replace(letters[0], text="\ufffd"))
        found.append(Word(letters))
        kept.append(words[place])
    return _with_times(_in_words(picture, found, kept))


def _with_points(text: str, boxes: list[Box]) -> str:
    """Recognised letters with points and commas as their shapes say: a comma hangs below the line."""
    text = text.replace(" ", "")
    size = max(map(tall, boxes))
    base = float(np.median([b[3] for b in boxes if tall(b) > 0.6 * size]))
    small = [b for b in sorted(boxes) if tall(b) < 0.45 * size and b[1] > base - 0.5 * size]
    marks = [k for k, letter in enumerate(text) if letter in ".,"]
    if len(marks) != len(small):
        return "\ufffd" if marks or small else text  # a lost point is worse than a question
    letters = list(text)
    for place, box in zip(marks, small, strict=True):
        hangs = box[3] - base > 0.1 * size or box[3] - base >= 1 and tall(box) > 1.3 * wide(box)
        letters[place] = "," if hangs else "."
    return "".join(letters)


def _one_sign(read: dict[int, str]) -> dict[int, str]:
    """Labels with one decimal sign, as a page writes them: small letters leave points and commas uncertain, most of them do not."""
    single = [text for text in read.values() if len(re.findall("[.,]", text)) == 1]
    commas = sum("," in text for text in single)
    if not 0 < commas < len(single) or any(re.search(r"[.,]\d*[.,]", text) for text in read.values()):
        return read
    if max(commas, len(single) - commas) < 0.65 * len(single):
        return {key: "\ufffd" if re.search("[.,]", text) else text for key, text in read.items()}
    sign = "," if 2 * commas > len(single) else "."
    other = {".": ",", ",": "."}[sign]  # before three digits it may part thousands
    thousands = re.compile(rf"[+-]?[1-9]\d{{0,2}}{re.escape(other)}\d{{3}}")
    return {
        key: "\ufffd" if thousands.fullmatch(text) else re.sub("[.,]", sign, text)
        for key, text in read.items()
    }


def _only(grey: NDArray[np.uint8], boxes: list[Box]) -> NDArray[np.uint8]:
    """The part of a picture with these blobs, without others that reach into it."""
    left, top, right, bottom = Blobs(boxes).box
    crop = np.full((bottom - top, right - left), 255, np.uint8)
    for b in boxes:
        crop[b[1] - top : b[3] - top, b[0] - left : b[2] - left] = grey[b[1] : b[3], b[0] : b[2]]
    return crop


def _parted(word: Blobs) -> list[tuple[str, list[Box]]]:
    """A word as minus signs, what stands on the line, what is raised, and what may be a sign or not, from left to right."""
    boxes = sorted(word.boxes)
    size = max(tall(b) for b in boxes)
    base = max(b[3] for b in boxes if tall(b) > 0.6 * size)
    parts: list[tuple[str, list[Box]]] = []
    for box in boxes:
        middle = base - (box[1] + box[3]) / 2
        bar = tall(box) <= 0.25 * size and wide(box) >= 1.8 * tall(box) and wide(box) > 0.2 * size
        raised = base - box[3] > 0.28 * size
        kind = "line"
        small = tall(box) <= 0.25 * size and wide(box) < 0.9 * size and base - box[3] > 0.2 * size
        if bar and middle > 0.2 * size:
            kind = "raised minus" if middle > 0.62 * size else "minus"
        elif small:  # a short bar above the line, of a few pixels
            kind = (
                "unclear" if wide(box) <= tall(box) else "raised minus" if middle > 0.62 * size else "minus"
            )
        elif raised and tall(box) > 0.3 * size:
            kind = "power"
        if parts and parts[-1][0] == kind and kind in ("line", "power"):
            parts[-1][1].append(box)
        else:
            parts.append((kind, [box]))
    return parts
