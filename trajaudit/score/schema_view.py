"""What does a JSON Schema say about one value? References resolved, hints read, never raising."""

from collections.abc import Iterator
from functools import cached_property, lru_cache

from pydantic import JsonValue

from trajaudit.score.identity import Same

Schema = dict[str, JsonValue]
_HOPS = 16
"""How many references are followed before a schema counts as circular."""
_TYPE_NAMES: dict[type, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    dict: ("object",),
    type(None): ("null",),
}


class SchemaView:
    """One schema seen from its root, so that local references can be followed.

    Each part of a schema has one view, however often and on whatever way it is reached: circular
    references and hostile arguments cannot make more views than the schema has parts.
    """

    def __init__(
        self,
        schema: Schema,
        root: Schema,
        known: "dict[int, SchemaView] | None" = None,
        merged: "dict[tuple[int, int], SchemaView] | None" = None,
    ) -> None:
        self.schema = schema
        self.root = root
        self._known = {} if known is None else known
        self._merged = {} if merged is None else merged

    @classmethod
    def of(cls, schema: JsonValue) -> "SchemaView":
        """View a whole schema; anything but an object says nothing."""
        return _whole(Same(schema))

    @cached_property
    def types(self) -> frozenset[str]:
        """Names of the allowed types; empty: any."""
        kind = self.schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        return frozenset(name for name in kinds if isinstance(name, str))

    @cached_property
    def members(self) -> list[JsonValue] | None:
        """The allowed values, where they are listed."""
        if "const" in self.schema:
            return [self.schema["const"]]
        listed = self.schema.get("enum")
        return listed if isinstance(listed, list) else None

    @cached_property
    def properties(self) -> Schema:
        """The declared properties."""
        return _object(self.schema.get("properties"))

    @cached_property
    def required(self) -> tuple[str, ...]:
        return tuple(_texts(self.schema.get("required")))

    @cached_property
    def is_open(self) -> bool:
        """Whether undeclared properties are allowed by name; silence is not consent."""
        return self.schema.get("additionalProperties") not in (None, False)

    def text(self, key: str) -> str:
        """Return the keyword `key` where it is text, else an empty text."""
        value = self.schema.get(key)
        return value if isinstance(value, str) else ""

    def property_(self, name: str) -> "SchemaView":
        """View the schema of a property."""
        if name in self.properties:
            return self._at(self.properties[name])
        return self._at(self.schema.get("additionalProperties"))

    def items(self) -> "SchemaView":
        """View the schema of the elements of a list."""
        return self._at(self.schema.get("items"))

    @cached_property
    def branches(self) -> "tuple[SchemaView, ...]":
        """Each alternative of `anyOf` or `oneOf`."""
        for key in ("anyOf", "oneOf"):
            listed = self.schema.get(key)
            if isinstance(listed, list) and listed:
                return tuple(self._at(branch) for branch in listed)
        return ()

    @property
    def of_root(self) -> "SchemaView":
        """View the whole schema that this one is a part of."""
        return self if self.schema is self.root else self._at(self.root)

    def chosen(self, value: JsonValue) -> "SchemaView":
        """View the alternative of `anyOf` or `oneOf` that a value is written by.

        Where several that declare properties fit, none is chosen, and the schema says nothing.
        What is declared beside the alternatives holds for each of them.
        """
        if not self.branches:
            return self
        fitting = [view for view in self.branches if view.may_be(value)]
        if not fitting:
            rest = [view for view in self.branches if view.types != {"null"}]
            fitting = rest if len(rest) == 1 else []
        telling = [view for view in fitting if view.properties]
        if not fitting or len(telling) > 1:
            return self
        view = (telling or fitting)[0]
        key = id(self.schema), id(view.schema)
        if key not in self._merged:
            beside = {k: v for k, v in self.schema.items() if k not in {"anyOf", "oneOf"}}
            merged = {**beside, **view.schema}
            if any(other.is_open for other in fitting):
                merged["additionalProperties"] = True
            self._merged[key] = SchemaView(merged, self.root, self._known, self._merged)
        return self._merged[key]

    def may_be(self, value: JsonValue) -> bool:
        """Whether nothing that the schema says at once speaks against a value."""
        if not fits_type(value, self.types):
            return False
        if self.members is not None and value not in self.members:
            return False
        if not isinstance(value, dict):
            return True
        return all(name in value for name in self.required) and all(
            members is None or value[name] in members
            for name in self.properties.keys() & value.keys()
            for members in [self.property_(name).members]
        )

    def aliases(self, name: str) -> tuple[str, ...]:
        """Return other names of a property, from its hint `x-aliases`."""
        return tuple(_texts(_object(self.properties.get(name)).get("x-aliases")))

    @cached_property
    def zipped(self) -> tuple[tuple[str, ...], ...]:
        """Groups of lists whose elements belong together by position, from `x-zip`."""
        return tuple(self._zipped())

    def _zipped(self) -> Iterator[tuple[str, ...]]:
        groups = self.schema.get("x-zip")
        for group in groups if isinstance(groups, list) else []:
            names = tuple(_texts(group))
            if len(names) > 1:
                yield names

    def _at(self, schema: JsonValue) -> "SchemaView":
        """View a part of the root, which keeps the part alive and thereby its identity."""
        view = self._known.get(id(schema))
        if view is None:
            found = _resolved(_object(schema), self.root)
            view = self._known[id(schema)] = SchemaView(found, self.root, self._known, self._merged)
        return view


@lru_cache(maxsize=512)
def _whole(one: Same) -> SchemaView:
    (schema,) = one.things
    found: Schema = schema if isinstance(schema, dict) else {}
    return SchemaView(_resolved(found, found), found)


def fits_type(value: JsonValue, types: frozenset[str]) -> bool:
    """Whether a value is of one of the types; an integral float is no integer here."""
    return not types or not types.isdisjoint(_TYPE_NAMES[type(value)])


def _resolved(found: Schema, root: Schema) -> Schema:
    """Follow local references, a limited number of them, and merge `allOf`."""
    for _ in range(_HOPS):
        reference = found.get("$ref")
        if not isinstance(reference, str):
            break
        beside = {key: value for key, value in found.items() if key != "$ref"}
        found = {**_referred(reference, root), **beside}
    return _merged(found)


def _referred(reference: str, root: Schema) -> Schema:
    if not reference.startswith("#"):
        return {}
    at: JsonValue = root
    for part in reference.lstrip("#").strip("/").split("/"):
        at = _object(at).get(part.replace("~1", "/").replace("~0", "~"))
    return _object(at)


def _merged(schema: Schema) -> Schema:
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    merged: Schema = {}
    for part in parts:
        merged.update(_object(part))
    return {**merged, **schema}


def _object(value: JsonValue) -> Schema:
    return value if isinstance(value, dict) else {}


def _texts(value: JsonValue) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
