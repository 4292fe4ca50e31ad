"""What markdown-it finds in files: one line of JSON for each path on standard input."""

import json
import sys

from markdown_it import MarkdownIt

parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def body_of(text):
    lines = text.split("\n")
    mark = lines[0].rstrip()
    if mark in ("---", "+++"):
        for index, line in enumerate(lines[1:], 1):
            if line.rstrip() == mark or (mark == "---" and line.rstrip() == "..."):
                return "\n" * (index + 1) + "\n".join(lines[index + 1 :])
    return text


def facts(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read().replace("\r", "")
    tokens = parser.parse(body_of(text))
    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    headings = [
        [int(token.tag[1]), token.map[1] - (0 if token.markup.startswith("#") else 1)]
        for token in tokens
        if token.type == "heading_open"
    ]
    return {
        "headings": headings,
        "fences": [[t.map[0] + 1, t.info.strip()] for t in tokens if t.type == "fence"],
        "indented": [t.map[0] + 1 for t in tokens if t.type == "code_block"],
        "items": [t.map[0] + 1 for t in tokens if t.type == "list_item_open"],
        "tables": [t.map[0] + 1 for t in tokens if t.type == "table_open"],
        "codes": sorted("".join(t.content.split()) for t in inline if t.type == "code_inline"),
        "links": len([t for t in inline if t.type == "link_open"]),
        "images": len([t for t in inline if t.type == "image"]),
    }


for line in sys.stdin:
    print(json.dumps(facts(line.rstrip("\n"))), flush=True)
