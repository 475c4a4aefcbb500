"""The tools that act in the container of the agent: `{sandbox: [bash, read, write, edit]}`."""

from pydantic import JsonValue

SANDBOX_TOOLS: dict[str, dict[str, JsonValue]] = {
    "bash": {
        "name": "bash",
        "description": "Run a bash command in the work directory and return its output.",
        "parameters": {
            "type": "object",
            "required": ["command"],
            "properties": {
                "command": {"type": "string", "description": "The command line.", "minLength": 1},
                "timeout_s": {
                    "type": "number",
                    "description": "Seconds after which the command is ended.",
                    "exclusiveMinimum": 0,
                    "maximum": 600,
                    "default": 60,
                },
            },
            "additionalProperties": False,
        },
        "effect": "write",
        "sandbox": "bash",
    },
    "read": {
        "name": "read_file",
        "description": "Return the text of a file.",
        "parameters": {
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Path of the file, relative to the work directory or absolute.",
                    "minLength": 1,
                },
            },
            "additionalProperties": False,
        },
        "effect": "read",
        "sandbox": "read",
    },
    "write": {
        "name": "write_file",
        "description": "Write a text file, replacing what was there.",
        "parameters": {
            "type": "object",
            "required": ["path", "content"],
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Path of the file, relative to the work directory or absolute.",
                    "minLength": 1,
                },
                "content": {"type": "string", "description": "The whole new content."},
            },
            "additionalProperties": False,
        },
        "effect": "write",
        "sandbox": "write",
    },
    "edit": {
        "name": "edit_file",
        "description": "Replace a piece of a text file; the piece must be there exactly once.",
        "parameters": {
            "type": "object",
            "required": ["path", "old", "new"],
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Path of the file, relative to the work directory or absolute.",
                    "minLength": 1,
                },
                "old": {
                    "type": "string",
                    "description": "The piece as it stands there, blanks and line feeds included.",
                    "minLength": 1,
                },
                "new": {"type": "string", "description": "What is to stand there instead."},
            },
            "additionalProperties": False,
        },
        "effect": "write",
        "sandbox": "edit",
    },
}
