"""What Python itself says of files: a line of JSON for each path on standard input."""

import ast
import doctest
import inspect
import json
import re
import sys
import tokenize
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(5000)
KINDS = {
    "functions": (ast.FunctionDef, ast.AsyncFunctionDef),
    "classes": ast.ClassDef,
    "calls": ast.Call,
    "imports": ast.alias,
    "raises": ast.Raise,
    "asserts": ast.Assert,
    "tries": (ast.Try, getattr(ast, "TryStar", ast.Try)),
    "lambdas": ast.Lambda,
}


def plain(text):
    """A text without halves of characters, which no UTF-8 can hold."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def examples(text):
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return None
    return [[example.source, example.want, example.lineno] for example in found]


def facts(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"fault": type(error).__name__ + ": " + str(error)}
    nodes = list(ast.walk(tree))
    found = {name: sum(isinstance(node, kind) for node in nodes) for name, kind in KINDS.items()}
    found["decorators"] = sum(len(getattr(node, "decorator_list", ())) for node in nodes)
    found["parameters"] = sum(isinstance(node, ast.arg) for node in nodes)
    owners = [node for node in nodes if isinstance(node, (ast.Module, ast.ClassDef, *KINDS["functions"]))]
    owners.sort(key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
    docs = []
    for node in owners:
        value = ast.get_docstring(node, clean=False)
        if value is not None:
            string = node.body[0].value
            docs.append([string.lineno, string.end_lineno, inspect.cleandoc(plain(value)), examples(plain(value))])
    found["docstrings"] = docs
    found["spans"] = [[node.name, node.lineno, node.end_lineno] for node in owners[1:]]
    found["strings"] = [
        [node.lineno, node.col_offset, plain(node.value)]
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ] if not any(isinstance(node, ast.JoinedStr) for node in nodes) else None
    try:
        with open(path, "rb") as file:
            kinds = [token.type for token in tokenize.tokenize(file.readline)]
        found["comments"] = kinds.count(tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError, IndentationError):
        found["comments"] = None
    return found


for line in sys.stdin:
    try:
        print(json.dumps(facts(line.rstrip("\n"))), flush=True)
    except UnicodeEncodeError:
        print("null", flush=True)
