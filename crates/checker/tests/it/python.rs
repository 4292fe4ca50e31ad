use polc_checker::evidence::{Absence, Content, Evidence, Part, Run};
use polc_checker::outcome::{Graded, Outcome};
use polc_checker::pack::Blunt;
use polc_checker::python::{
    Code, Definition, Kind, Literal, Node, ParameterKind, Python, Source, TestNames, Version, Visibility,
};
use polc_checker::{Checker, Declaration, Entry, FileChange, Judgement, Ownership, Read, Selection, View};
use polc_testkit::shared;

fn with<T>(path: &str, text: &str, look: impl FnOnce(Python<'_>) -> T) -> T {
    look(Source::new(path, text).read().unwrap())
}

/// The hard case py2: a form feed is white space and ends no line.
#[test]
fn a_form_feed_resets_the_indentation_and_ends_no_line() {
    let Some(case) = shared::case("py2") else { return };
    let text = case["input"]["source"].as_str().unwrap();
    with("a.py", text, |python| {
        let function = python.functions()[0];
        assert_eq!(function.node().line() as u64, case["expected"]["f_line"].as_u64().unwrap());
        assert_eq!(python.python_lines() as u64, case["expected"]["lines"].as_u64().unwrap());
        // The print of `T` is not under the condition.
        let printed: Vec<_> =
            python.calls().iter().map(|call| call.node().statement().unwrap().role()).collect();
        let top: Vec<_> = python.root().children().map(Node::kind).collect();
        assert_eq!(printed.len(), 2);
        assert_eq!(top, [Kind::If, Kind::Expression, Kind::Function]);
    });
}

/// The hard case py5: what depends on the version is told, and what is no Python is no clean file.
#[test]
fn syntax_of_later_versions_is_told_from_what_is_none() {
    let Some(case) = shared::case("py5") else { return };
    let source = |key: &str| Source::new("a.py", case["input"][key].as_str().unwrap());
    for key in ["a", "b"] {
        let source = source(key);
        let python = source.read().unwrap();
        for (version, expected) in case["expected"][key].as_object().unwrap() {
            let version = Version::parse(version).unwrap();
            let is_known = python.newer_than(version).next().is_none();
            assert_eq!(is_known, expected == "ok", "{key} {version:?}");
        }
        assert_eq!(python.new_syntax()[0].line, 1);
    }
    for key in ["c", "d"] {
        let source = source(key);
        let fault = source.read().unwrap_err();
        assert_eq!(fault.line, 1, "{key}: {fault:?}");
    }
}

#[test]
fn the_first_fault_has_its_line() {
    for (text, line) in [
        ("a = 1\n\ndef f(:\n    pass\nprint 'x'\n", 3),
        ("a = 1\nb = '\n", 2),
        ("if x:\n    a\n  b\n", 3),
        ("a = (1,\n\n", 3),
        ("a\0b\n", 1),
        ("f((a)=1)\n", 1),
    ] {
        let source = Source::new("a.py", text);
        let fault = source.read().unwrap_err();
        assert_eq!(fault.line, line, "{text:?}: {fault:?}");
        assert!(!fault.message.is_empty());
    }
}

#[test]
fn every_new_syntax_has_its_version() {
    for (text, since) in [
        ("match a:\n    case 1: pass\n", 10),
        ("try: pass\nexcept* E: pass\n", 11),
        ("a[*b]\n", 11),
        ("def f[T](): pass\n", 12),
        ("type A = int\n", 12),
        ("f'{\"\\n\".join(a)}'\n", 12),
        ("class A[T = int]: pass\n", 13),
        ("try: pass\nexcept A, B: pass\n", 14),
        ("t'{a}'\n", 14),
        ("with (open(a) as b, c as d): pass\n", 9),
        ("@(yield_)[0]\ndef f(): pass\n", 9),
    ] {
        with("a.py", text, |python| {
            let found: Vec<_> = python.new_syntax().iter().map(|found| found.since).collect();
            assert_eq!(found.last(), Some(&Version(since)), "{text}");
        });
    }
    with("a.py", "(a := 1)\ndef f(a, /): pass\n", |python| assert!(python.new_syntax().is_empty()));
}

const SHAPES: &str = "\
import functools as ft
from typing import overload
from . import near

__all__ = ['Lion', 'roar']
__all__ += ['pride']

@ft.lru_cache(maxsize=None)  # kept
# beside
@near.mark
async def roar(a, /, b: int = 1, *rest, c=2, **more) -> str:
    def inner(): pass

class Lion(near.Cat, metaclass=Meta):
    @property
    def mane(self): ...
    @mane.setter
    def mane(self, value): ...
    @overload
    def eat(self, x: int): ...
    @staticmethod
    def sleep(hours): ...
    def _dream(self): ...
    def __len__(self): return 0

class _Cub:
    def play(self): ...

def hidden(): ...
";

#[test]
fn definitions_say_what_they_are() {
    with("src/zoo/cats.py", SHAPES, |python| {
        let shown: Vec<_> = python
            .definitions()
            .into_iter()
            .map(|found| (found.qualified_name(), found.visibility(), found.lines()))
            .collect();
        use Visibility::{Local, NotExported, PrivateName, PrivateOwner, Public};
        let expected = [
            ("roar", Public, 8..=12),
            ("roar.inner", Local, 12..=12),
            ("Lion", Public, 14..=24),
            ("Lion.mane", Public, 15..=16),
            ("Lion.mane", Public, 17..=18),
            ("Lion.eat", Public, 19..=20),
            ("Lion.sleep", Public, 21..=22),
            ("Lion._dream", PrivateName, 23..=23),
            ("Lion.__len__", Public, 24..=24),
            ("_Cub", PrivateName, 26..=27),
            ("_Cub.play", PrivateOwner, 27..=27),
            ("hidden", NotExported, 29..=29),
        ];
        assert_eq!(shown, expected.map(|(name, visibility, lines)| (name.to_owned(), visibility, lines)));
        let found = |name: &str| python.defined(name)[0];
        assert_eq!(found("roar").lines_without_decorators(), 11..=12);
        assert_eq!(found("roar").header_lines(), 11..=11);
        assert!(
            found("roar").is_async() && found("Lion.eat").is_overload() && found("Lion.mane").is_property()
        );
        assert!(python.defined("Lion.mane")[1].is_property_part() && found("Lion.sleep").is_method());
        let decorators: Vec<_> = found("roar").decorators().map(|found| found.resolve().unwrap()).collect();
        assert_eq!(decorators, ["functools.lru_cache", "zoo.near.mark"]);
        let call = found("roar").decorators().next().unwrap().call().unwrap();
        assert_eq!(call.keyword("maxsize").unwrap().literal(), Some(Literal::None));
        let parameters: Vec<_> =
            found("roar").parameters().map(|one| (one.name(), one.kind(), one.default().is_some())).collect();
        use ParameterKind::{KeywordOnly, Plain, PositionalOnly, Variadic, VariadicKeyword};
        let expected = [
            ("a", PositionalOnly, false),
            ("b", Plain, true),
            ("rest", Variadic, false),
            ("c", KeywordOnly, true),
            ("more", VariadicKeyword, false),
        ];
        assert_eq!(parameters, expected);
        assert_eq!(found("roar").returns().unwrap().text(), "str");
        assert_eq!(found("Lion").bases().next().unwrap().resolve().as_deref(), Some("zoo.near.Cat"));
        assert!(found("Lion").derives_from(&["zoo.near.Cat"]) && !found("Lion").derives_from(&["zoo.Dog"]));
        let passed = |name: &str| found(name).passed_parameters().count();
        assert_eq!((passed("Lion.eat"), passed("Lion.sleep")), (1, 1));
        assert_eq!(python.exports().unwrap(), ["Lion", "roar", "pride"]);
        assert_eq!(found("Lion.eat").dotted_name(), "zoo.cats.Lion.eat");
    });
    with("zoo/cats.py", "__all__ = near.__all__ + ['g']\ndef f(): ...\n", |python| {
        assert_eq!((python.exports(), python.functions()[0].is_public()), (None, true));
    });
    with("zoo/_cats.py", "def f(): ...\n", |python| {
        assert_eq!(python.functions()[0].visibility(), Visibility::PrivateModule);
    });
}

#[test]
fn tests_are_known_by_names_that_a_project_gives() {
    let text = "def test_a(): ...\ndef a_test(): ...\nclass TestX:\n    def test_b(self): ...\n    def helper(self): ...\n\
                class Y(unittest.TestCase):\n    def test_c(self): ...\nclass Z:\n    def test_d(self): ...\n";
    let tests = |path: &str, names: &TestNames<'_>| {
        let source = Source::new(path, text);
        let found = source.read().unwrap().definitions();
        found.into_iter().filter(|one| one.is_test(names)).map(Definition::qualified_name).collect::<Vec<_>>()
    };
    let usual = ["test_a", "TestX", "TestX.test_b", "Y", "Y.test_c"];
    assert_eq!(tests("a.py", &TestNames::default()), usual);
    let at_home = TestNames { folders: &["tests"], ..TestNames::default() };
    assert_eq!(tests("pkg/tests/deep/test_a.py", &at_home), usual);
    assert!(tests("pkg/a.py", &at_home).is_empty());
}

const NAMES: &str = "\
import numpy as np, os.path
from ..core import basic as b
from . import *
try:
    import json
except ImportError:
    json = None
if TYPE_CHECKING:
    from x import Y
else: import z

def f(os):
    np.array; os.path; b.run; json.dumps; print; unknown
    np = 1

def g():
    import numpy as np
    global late
    np.array; f; os.path.join; [np for np in b]; lambda b: b.x
    late = 1
    def h(x=np.pi): np.e

class C:
    def print(self): return print
    f = 1
    def m(self): return f
";

#[test]
fn names_stand_for_what_was_imported_unless_they_are_shadowed() {
    let source = Source::new("pkg/sub/mod.py", NAMES);
    let python = source.read().unwrap();
    let on = |line: usize, text: &str| {
        let found = python.nodes().find(|node| {
            node.line() == line && node.text() == text && matches!(node.kind(), Kind::Name | Kind::Attribute)
        });
        found.unwrap_or_else(|| panic!("{line} {text}")).resolve()
    };
    let some = |dotted: &str| Some(dotted.to_owned());
    assert_eq!(on(13, "np.array"), None, "a local variable, whenever it is bound");
    assert_eq!(on(13, "os.path"), None, "a parameter");
    assert_eq!(on(13, "b.run"), some("pkg.core.basic.run"));
    assert_eq!(on(13, "json.dumps"), some("json.dumps"), "a fallback hides no import");
    assert_eq!(on(13, "print"), some("print"));
    assert_eq!(on(13, "unknown"), None);
    assert_eq!(on(19, "np.array"), some("numpy.array"));
    assert_eq!(on(19, "f"), some("pkg.sub.mod.f"));
    assert_eq!(on(19, "os.path.join"), some("os.path.join"));
    assert_eq!(on(19, "b.x"), None, "a parameter of a lambda");
    assert_eq!(on(21, "np.pi"), some("numpy.pi"), "a default belongs to the scope around");
    assert_eq!(on(21, "np.e"), some("numpy.e"));
    assert_eq!(on(24, "print"), some("print"), "a method hides nothing from its own body");
    assert_eq!(on(26, "f"), some("pkg.sub.mod.f"), "nor does a name of the class");
    let inside = python.of(Kind::ListComprehension).next().unwrap().descendants().next().unwrap();
    assert_eq!((inside.text(), inside.resolve()), ("np", None));
    let imports: Vec<_> = python
        .imports()
        .iter()
        .map(|import| (import.target().unwrap(), import.binds(), import.is_tried(), import.is_for_types()))
        .collect();
    let expected = [
        ("numpy", Some("np"), false, false),
        ("os.path", Some("os"), false, false),
        ("pkg.core.basic", Some("b"), false, false),
        ("pkg.sub", None, false, false),
        ("json", Some("json"), true, false),
        ("x.Y", Some("Y"), false, true),
        ("z", Some("z"), false, false),
        ("numpy", Some("np"), false, false),
    ];
    assert_eq!(
        imports,
        expected.map(|(target, binds, tried, types)| (target.to_owned(), binds, tried, types))
    );
    assert!(python.has_star_imports() && python.imports()[7].is_local());
    let of_package = Source::new("pkg/__init__.py", "from .a import b\nfrom .. import c\n");
    let imports = of_package.read().unwrap().imports();
    assert_eq!(imports[0].target().as_deref(), Some("pkg.a.b"));
    assert_eq!(imports[1].target(), None, "nothing is above the top");
}

#[test]
fn statements_say_what_they_hold() {
    let text = "def f(a):\n    try:\n        assert a, f'no {a!r}'\n    except (A, B) as e:\n        raise ValueError(f\"bad {a} \"\n            'and worse') from e\n    \
                except:\n        pass\n    finally:\n        x.y, (z, *w) = 1, 2\n    raise KeyError('k %s' % a)\n    raise\n    print(1, *a, sep='', **b)\n";
    with("m.py", text, |python| {
        let raises = python.raises();
        let messages: Vec<_> = raises.iter().map(|raise| raise.message()).collect();
        assert_eq!(messages, [Some("bad {a} and worse".to_owned()), Some("k %s".to_owned()), None]);
        assert_eq!(raises[0].resolve().as_deref(), Some("ValueError"));
        assert!(raises[0].cause().is_some() && raises[2].exception().is_none());
        let assert = python.asserts()[0];
        assert_eq!((assert.test().text(), assert.message().unwrap().kind()), ("a", Kind::FString));
        let handlers: Vec<_> = python.tries()[0].handlers().collect();
        assert_eq!(handlers[0].exceptions().len(), 2);
        assert_eq!(handlers[0].name(), Some("e"));
        assert!(handlers[1].is_bare() && handlers[1].is_silent() && !handlers[0].is_silent());
        let targets: Vec<_> = python.assignments()[0].targets().into_iter().map(Node::text).collect();
        assert_eq!(targets, ["x.y", "z", "w"]);
        let print = *python.calls().last().unwrap();
        assert!(print.is_any(&["print"]));
        assert_eq!(print.literal(9, "sep"), Some(Literal::Str("")));
        assert_eq!(print.literal(0, "x"), Some(Literal::Integer("1")));
        assert_eq!(print.argument(1, "x"), None, "a star may be any number of arguments");
        assert_eq!(print.arguments().count(), 4);
    });
}

#[test]
fn operators_stand_between_their_operands() {
    with("m.py", "(a) < (b) is not c\nx + (y)\na and b or c\n", |python| {
        let operators = |kind: Kind| python.of(kind).flat_map(Node::operators).collect::<Vec<_>>();
        assert_eq!(operators(Kind::Compare), ["<", "is not"]);
        assert_eq!(operators(Kind::BinaryOp), ["+"]);
        assert_eq!(operators(Kind::BoolOp), ["or", "and"]);
    });
}

#[test]
fn strings_and_comments() {
    let text = "# -*- coding: utf-8 -*-\nx = 'a\\n' \"b\"  # noqa: E501, W291\ny = r'\\n'\n  # type:ignore[arg-type]  # pylint: disable=x\n\
                z = '# none'  # ruff is a linter\n";
    with("m.py", text, |python| {
        let strings: Vec<_> = python.strings().into_iter().map(|string| string.string().unwrap()).collect();
        assert_eq!(strings, ["a\nb", "\\n", "# none"]);
        assert!(python.strings()[0].is_concatenated());
        let comments: Vec<_> = python.comments().collect();
        assert_eq!(comments.iter().map(|comment| comment.line()).collect::<Vec<_>>(), [1, 2, 4, 5]);
        assert!(comments[0].is_encoding() && comments[0].stands_alone() && !comments[1].stands_alone());
        assert!(comments[2].stands_alone());
        let pragmas: Vec<_> = comments.iter().flat_map(|comment| comment.pragmas()).collect();
        let shown: Vec<_> = pragmas.iter().map(|pragma| (pragma.name, pragma.codes.clone())).collect();
        let expected = [
            ("noqa", vec!["E501", "W291"]),
            ("type: ignore", vec!["arg-type"]),
            ("pylint", vec!["disable=x"]),
        ];
        assert_eq!(shown, expected);
    });
}

/// Definitions with a docstring that are touched; one that is new has to have one.
struct Documented;

impl Checker for Documented {
    type Target<'e> = Code<'e, Definition<'e>>;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C001", "sha256:0", Ownership::Created, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let mut selected = Vec::new();
        for change in view.pythons(|file| !file.is_below("tests"))? {
            let public = change.head.definitions().into_iter().filter(|found| found.is_public());
            selected.extend(change.owned(Ownership::Created, public));
        }
        Ok(selected)
    }

    fn postcondition<'e>(_: &View<'e>, target: &Self::Target<'e>) -> Judgement {
        Judgement::when(target.item.docstring().is_some(), || "write a docstring".to_owned())
    }
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn grade(files: Vec<FileChange>) -> Graded {
    let evidence = Evidence { files: Part::Recorded(files), ..Evidence::of_nothing(Run::new("r1", "zoo")) };
    Entry::of::<Documented>("docs/c001", "").grade(&evidence, Blunt::None)
}

#[test]
fn only_definitions_that_were_not_there_are_created() {
    let base = "def a():\n    return 1\n";
    let moved = "import x\n\n\ndef b():\n    pass\n\n\ndef a():\n    return 2\n";
    let graded = grade(vec![FileChange::new("m.py", text(base), text(moved))]);
    assert_eq!((graded.outcome, graded.selected), (Outcome::Violated, 1));
    assert!(graded.violations[0].snippet.starts_with("def b()"));
    let graded = grade(vec![FileChange::new("m.py", text(base), text("def a():\n    return 2\n"))]);
    assert_eq!(graded.outcome, Outcome::Inapplicable);
    let graded = grade(vec![FileChange::new("m.py", Content::Absent, text("def a():\n    'Do.'\n"))]);
    assert_eq!(graded.outcome, Outcome::Satisfied);
    assert_eq!(
        grade(vec![FileChange::new("m.txt", Content::Absent, text("def a(:"))]).outcome,
        Outcome::Inapplicable
    );
}

#[test]
fn what_does_not_parse_is_withheld_and_the_rest_is_graded() {
    let broken = || FileChange::new("broken.py", Content::Absent, text("def a(:\n    pass\n"));
    let withheld = Outcome::Withheld { what: "broken.py".to_owned(), cause: Absence::NotParseable };
    assert_eq!(grade(vec![broken()]).outcome, withheld);
    let fine = FileChange::new("m.py", Content::Absent, text("def a():\n    'Do.'\n"));
    assert_eq!(grade(vec![broken(), fine]).outcome, Outcome::Satisfied);
}

/// Sees what a change does to the definitions of a file.
struct Changes;

impl Checker for Changes {
    type Target<'e> = Code<'e, Definition<'e>>;
    const DECLARATION: Declaration =
        Declaration::exact("ZOO-C002", "sha256:0", Ownership::Enclosing, &[Read::Files]);

    fn precondition<'e>(view: &View<'e>) -> Selection<Self::Target<'e>> {
        let change = view.pythons(|_| true)?[0];
        let names = |found: Vec<Definition<'_>>| {
            found.into_iter().map(Definition::qualified_name).collect::<Vec<_>>()
        };
        assert_eq!(names(change.added()?), ["C.new"]);
        assert_eq!(names(change.removed()?), ["gone"]);
        assert_eq!(names(change.changed()?.into_iter().map(|(_, after)| after).collect()), ["f", "C"]);
        assert_eq!(names(change.touched()), ["f", "C", "C.new"]);
        assert_eq!(names(change.innermost()), ["f", "C.new"]);
        Ok(change.owned(Ownership::Enclosing, change.innermost()))
    }

    fn postcondition<'e>(_: &View<'e>, _: &Self::Target<'e>) -> Judgement {
        Judgement::Satisfied
    }
}

#[test]
fn changes_are_laid_at_the_definitions_around_them() {
    let base = "def gone(): pass\n\n\n@a\n@b\ndef f():\n    return 1\n\n\nclass C:\n    def m(self): pass\n";
    let head =
        "\n\n@a\ndef f():\n    return 1\n\n\nclass C:\n    def m(self): pass\n    def new(self): pass\n";
    let evidence = Evidence {
        files: Part::Recorded(vec![FileChange::new("m.py", text(base), text(head))]),
        ..Evidence::of_nothing(Run::new("r1", "zoo"))
    };
    let graded = Entry::of::<Changes>("code/c002", "").grade(&evidence, Blunt::None);
    assert_eq!((graded.outcome, graded.selected), (Outcome::Satisfied, 2));
}
