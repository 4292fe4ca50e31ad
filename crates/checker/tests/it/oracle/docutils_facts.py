"""What docutils finds in files: one line of JSON for each path on standard input.

Directives and roles are taken as they come. The environment names those directives whose body is text of its
own, and those without an argument.
"""

import json
import os
import sys
import warnings

warnings.simplefilter("ignore")

from docutils import nodes, utils
from docutils.frontend import OptionParser
from docutils.parsers.rst import Directive, Parser, directives, roles

VERBATIM = set(os.environ["VERBATIM"].split())
UNARGUED = set(os.environ["UNARGUED"].split())


class AnyOptions(dict):
    def __contains__(self, key):
        return True

    def __getitem__(self, key):
        return lambda value: value

    def __bool__(self):
        return True


class Any(Directive):
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = AnyOptions()

    def run(self):
        found.append((self.lineno, self.name))
        node = nodes.container()
        node["directive"] = self.name
        if self.name.lower() not in VERBATIM:
            memo = self.state.memo
            kept = memo.title_styles, memo.section_level
            memo.title_styles, memo.section_level = [], 0
            self.state.nested_parse(self.content, self.content_offset, node, match_titles=1)
            memo.title_styles, memo.section_level = kept
        return [node]


class Unargued(Any):
    optional_arguments = 0


def any_directive(name, language, document):
    return (Unargued if name.lower() in UNARGUED else Any), []


def any_role(name, language, lineno, reporter):
    def role(_, rawtext, text, lineno, inliner, options=None, content=None):
        node = nodes.inline(rawtext, "")
        node["role"] = name
        return [node], []

    return role, []


directives.directive = any_directive
roles.role = any_role


def clean(text):
    return "".join(text.replace("\0", "").replace("\\", "").split())


def is_top(node):
    while node.parent is not None:
        node = node.parent
        if not isinstance(node, (nodes.section, nodes.document)):
            return False
    return True


def facts(path):
    global found
    found = []
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read().replace("\r", "")
    settings = OptionParser(components=(Parser,)).get_default_values()
    settings.report_level = settings.halt_level = 5
    document = utils.new_document(path, settings)
    Parser().parse(text, document)

    def all_of(*kinds):
        return [node for node in document.findall() if isinstance(node, kinds)]

    def level(node):
        count = 0
        while node is not None:
            count += isinstance(node, nodes.section)
            node = node.parent
        return count

    titles = [t for t in all_of(nodes.title) if isinstance(t.parent, nodes.section) and is_top(t.parent)]
    return {
        "headings": [[level(t), clean(t.rawsource)] for t in titles],
        "directives": [[line, name] for line, name in sorted(found)],
        "roles": sorted(n["role"] or "" for n in all_of(nodes.inline) if "role" in n),
        "literals": sorted(clean(n.astext()) for n in all_of(nodes.literal)),
        "emphasis": sorted(clean(n.astext()) for n in all_of(nodes.emphasis)),
        "strong": sorted(clean(n.astext()) for n in all_of(nodes.strong)),
        "substitutions": sorted(clean(n.astext()) for n in all_of(nodes.substitution_reference)),
        "links": sorted(clean(n.astext()) for n in all_of(nodes.reference)),
        "references": len(all_of(nodes.footnote_reference, nodes.citation_reference)),
        "notes": len(all_of(nodes.footnote, nodes.citation)),
        "targets": len([n for n in all_of(nodes.target) if not isinstance(n.parent, (nodes.TextElement,))]),
        "bullet": len([n for n in all_of(nodes.list_item) if isinstance(n.parent, nodes.bullet_list)]),
        "enumerated": len([n for n in all_of(nodes.list_item) if isinstance(n.parent, nodes.enumerated_list)]),
        "definition": len(all_of(nodes.definition_list_item)),
        "field": len(all_of(nodes.field)),
        "option": len(all_of(nodes.option_list_item)),
        "literal": len([n for n in all_of(nodes.literal_block) if not isinstance(n.parent, nodes.system_message)]),
        "doctest": len(all_of(nodes.doctest_block)),
        "table": len(all_of(nodes.table)),
        "comment": len(all_of(nodes.comment)),
        "transition": len(all_of(nodes.transition)),
        "quote": len([n for n in all_of(nodes.block_quote) if not isinstance(n.parent, nodes.system_message)]),
    }


for line in sys.stdin:
    try:
        answer = facts(line.rstrip("\n"))
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
