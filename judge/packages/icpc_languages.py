"""The languages by the codes that ICPC packages have for them."""

LANGUAGES = {
    **{name: name for name in ("c", "cpp", "java", "javascript", "go", "rust")},
    "python3": "python",
    "python": "python",
}
"""From a code of the format to a language's id here."""
