"""Single compressed files: gzip, xz, bzip2 and zstd, unpacked in memory and bounded."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import pyarrow as pa

from ibforensic.capture.limits import SkipList

__all__ = ["suffix_of", "unpacked"]

_GZIP = 31
"""Window size for zlib that stands for the gzip format."""
_PIECE = 16384
_DAMAGE = (zlib.error, lzma.LZMAError, OSError, EOFError)


class _Unpacker(Protocol):
    """What zlib, lzma and bz2 have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def _gzip() -> _Unpacker:
    return zlib.decompressobj(wbits=_GZIP)


_FORMS: tuple[tuple[bytes, str, Callable[[], _Unpacker] | None], ...] = (
    (b"\x1f\x8b", ".gz", _gzip),
    (b"\xfd7zXZ\x00", ".xz", lzma.LZMADecompressor),
    (b"BZh", ".bz2", bz2.BZ2Decompressor),
    (b"\x28\xb5\x2f\xfd", ".zst", None),
)
"""First bytes, usual end of the name, and what unpacks it; None is zstd, which pyarrow has."""


def suffix_of(data: bytes) -> str:
    """Return the usual end of the name of a compressed file, by its first bytes; empty for any other."""
    return next((end for mark, end, _ in _FORMS if data.startswith(mark)), "")


def unpacked(data: bytes, shown: str, skipped: SkipList, most: int, reason: str = "too_large") -> bytes:
    """Unpack a compressed file.

    Args:
        data: A file for which ``suffix_of`` gives an end.
        shown: Its path, for notes.
        skipped: Takes damage, and what is too large.
        most: Largest content, in octets.
        reason: Why a larger one is left out.

    Returns:
        Its content; the good part of a damaged one, nothing of one that is too large.
    """
    make = next(make for mark, _, make in _FORMS if data.startswith(mark))
    content = bytearray()
    try:
        for piece in _zstd_pieces(data) if make is None else _pieces(data, make):
            content += piece
            if len(content) > most:
                skipped.add(reason, shown)
                return b""
    except _DAMAGE as error:
        skipped.add("damaged", shown, str(error))
    return bytes(content)


def _pieces(data: bytes, make: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """Unpack in small pieces, so that damage costs a piece and not the file, and size can be watched."""
    stream = make()
    for at in range(0, len(data), _PIECE):
        piece = data[at : at + _PIECE]
        while piece:
            if stream.eof:
                stream = make()
            yield stream.decompress(piece)
            piece = stream.unused_data.lstrip(b"\0")
    if not stream.eof:
        raise EOFError("it ends too early")


def _zstd_pieces(data: bytes) -> Iterator[bytes]:
    """Unpack zstd in small pieces."""
    with pa.input_stream(io.BytesIO(data), compression="zstd") as stream:
        while piece := stream.read(_PIECE * 64):
            yield piece
