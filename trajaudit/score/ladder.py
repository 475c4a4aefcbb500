"""The ladder from exact to equal in meaning: each tolerance, and the step it belongs to."""

from collections.abc import Iterable
from typing import Literal

LadderStep = Literal["exact", "repaired", "renamed", "coerced", "defaulted", "meaning"]
STEPS: tuple[LadderStep, ...] = (
    "exact",
    "repaired",
    "renamed",
    "coerced",
    "defaulted",
    "meaning",
)
TOLERANCES: dict[str, tuple[LadderStep, str]] = {
    "code_fence": ("repaired", "the arguments stand in a fenced block"),
    "surrounding_text": ("repaired", "prose stands around the arguments"),
    "python_literal": ("repaired", "Python's quotes, True, False or None"),
    "smart_quotes": ("repaired", "typographic quotes around names or text"),
    "unquoted_key": ("repaired", "a name without quotes"),
    "trailing_comma": ("repaired", "a comma after the last entry"),
    "missing_comma": ("repaired", "no comma between two entries"),
    "json_comment": ("repaired", "a comment inside the arguments"),
    "control_char": ("repaired", "a raw line feed or tab inside a text"),
    "invalid_escape": ("repaired", "a backslash that escapes nothing"),
    "extra_brace": ("repaired", "a closing brace too many"),
    "duplicate_key": ("repaired", "a name given twice with the same value"),
    "empty_arguments": ("repaired", "no text at all where no argument is needed"),
    "call_envelope": ("repaired", "the whole call where its arguments belong"),
    "json_string": ("repaired", "JSON inside a JSON string"),
    "tool_name_style": ("renamed", "another case or separator in the tool's name"),
    "tool_name_prefix": ("renamed", "a namespace before the tool's name"),
    "tool_alias": ("renamed", "a declared other name of the tool"),
    "param_case": ("renamed", "another case or separator in an argument's name"),
    "param_alias": ("renamed", "a declared other name of an argument"),
    "numeric_string": ("coerced", "a number as text"),
    "number_to_string": ("coerced", "a text of digits as a number"),
    "boolean_string": ("coerced", "true or false as text"),
    "int_float": ("coerced", "an integral number with a decimal point, or without"),
    "scalar_to_list": ("coerced", "one value where a list of one is wanted"),
    "list_to_scalar": ("coerced", "a list of one where one value is wanted"),
    "default_omitted": ("defaulted", "an argument left out that has its default in the reference"),
    "default_given": ("defaulted", "an argument given its default, which the reference leaves out"),
    "null_omitted": ("defaulted", "null for an optional argument, or the other way round"),
    "whitespace": ("meaning", "blanks around a text, or more than one between words"),
    "unicode_nfc": ("meaning", "the same characters in another Unicode form"),
    "typography": ("meaning", "typographic apostrophes, quotes or dashes"),
    "case": ("meaning", "capitals in plain words, or where the schema says they do not matter"),
    "enum_case": ("meaning", "another case or separator in a listed value"),
    "float_noise": ("meaning", "a difference beyond the 15th digit"),
    "date_format": ("meaning", "the same day or instant in another form"),
    "path_form": ("meaning", "the same path of a file written with `./` or another slash"),
    "list_order": ("meaning", "another order of a list that is declared unordered"),
    "zipped_order": ("meaning", "lists that belong together, reordered together"),
    "extra_param": ("meaning", "an argument that the schema does not know and lets pass"),
    "harness_changed": ("meaning", "the agent's framework changed what the model had asked for"),
    "read_only_moved": ("meaning", "a read-only call at another place"),
    "read_only_left_out": ("meaning", "a read-only call left out, the effect is the same"),
    "failed_extra_call": ("meaning", "an extra call that failed and changed nothing"),
}


def highest_step(tolerances: Iterable[str]) -> LadderStep:
    """Return the last step of the ladder that these tolerances need."""
    steps = {TOLERANCES[name][0] for name in tolerances if name in TOLERANCES}
    return max(steps, key=STEPS.index, default="exact")
