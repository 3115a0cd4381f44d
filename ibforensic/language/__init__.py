"""Other languages: the sentences of a document and the words of a report, through gettext catalogues.

The document stays as it is: its messages carry an id and parameters, so that one written long ago can be
told in either language. What no catalogue knows stays in English; nothing here ever fails on a document.
"""

from __future__ import annotations

from ibforensic.language.catalogue import LANGUAGES as LANGUAGES
from ibforensic.language.document import translated as translated
from ibforensic.language.messages import translate as translate
from ibforensic.language.speaking import gettext as gettext
from ibforensic.language.speaking import ngettext as ngettext
from ibforensic.language.speaking import speaking as speaking
from ibforensic.language.speaking import spoken as spoken

__all__ = ["LANGUAGES", "gettext", "ngettext", "speaking", "spoken", "translate", "translated"]
