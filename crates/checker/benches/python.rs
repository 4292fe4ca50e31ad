//! How fast Python is read: the bare parser, our parse, and our parse with its rows, its names and its
//! docstrings. The files are those below `POLC_PYTHON_TREES`, parted by colons, or else made up.

use divan::counter::BytesCount;
use polc_checker::python::{Kind, Source};
use polc_testkit::shared;
use ruff_python_ast::PythonVersion;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use std::sync::LazyLock;

fn main() {
    divan::main();
}

/// At most so many bytes of text are read.
const MOST: usize = 16 << 20;

static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let Some(trees) = std::env::var_os("POLC_PYTHON_TREES") else { return vec![made_up(500); 20] };
    let files = std::env::split_paths(&trees).flat_map(|tree| shared::files_below(&tree));
    let python = files.filter(|path| path.extension().is_some_and(|end| end == "py"));
    let mut left = MOST;
    python
        .map_while(|path| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            left = left.checked_sub(text.len())?;
            Some(text)
        })
        .collect()
});

fn made_up(functions: usize) -> String {
    let one = "@cached(size=10)\ndef feed(lion, cubs=(), *, hungry: bool = True) -> int:\n    \"\"\"Feed the lion.\n\n    \
         Parameters\n    ----------\n    lion : Lion\n        The one to feed.\n\n    >>> feed(lion)\n    3\n    \"\"\"\n    \
         if hungry and lion.age > 3:\n        return sum(np.array([cub.weight * 2 + 1 for cub in cubs]), start=len(f'{lion!r}'))\n    \
         raise ValueError(f'no food for {lion}')\n\n\n";
    format!("import numpy as np\n\n\n{}", one.repeat(functions))
}

fn sources() -> Vec<Source> {
    TEXTS.iter().map(|text| Source::new("pkg/module.py", text.as_str())).collect()
}

fn bytes() -> BytesCount {
    BytesCount::new(TEXTS.iter().map(String::len).sum::<usize>())
}

/// The parser of ruff, its tree dropped.
#[divan::bench(sample_count = 10)]
fn bare_parser(bencher: divan::Bencher<'_, '_>) {
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY38);
    let parse =
        || TEXTS.iter().map(|text| parse_unchecked(text, options.clone()).errors().len()).sum::<usize>();
    bencher.counter(bytes()).bench(parse);
}

/// Whether each file is Python.
#[divan::bench(sample_count = 10)]
fn parse(bencher: divan::Bencher<'_, '_>) {
    let read = |sources: Vec<Source>| {
        sources.into_iter().map(|source| usize::from(source.read().is_ok())).sum::<usize>()
    };
    bencher.counter(bytes()).with_inputs(sources).bench_values(read);
}

/// And the rows of each file.
#[divan::bench(sample_count = 10)]
fn parse_and_index(bencher: divan::Bencher<'_, '_>) {
    let calls = |source: Source| source.read().map_or(0, |python| python.of(Kind::Call).count());
    let read = |sources: Vec<Source>| sources.into_iter().map(calls).sum::<usize>();
    bencher.counter(bytes()).with_inputs(sources).bench_values(read);
}

/// And what every call stands for.
#[divan::bench(sample_count = 10)]
fn parse_and_resolve(bencher: divan::Bencher<'_, '_>) {
    let known = |source: Source| {
        source
            .read()
            .map_or(0, |python| python.calls().iter().filter(|call| call.resolve().is_some()).count())
    };
    let read = |sources: Vec<Source>| sources.into_iter().map(known).sum::<usize>();
    bencher.counter(bytes()).with_inputs(sources).bench_values(read);
}

/// And what every docstring says.
#[divan::bench(sample_count = 10)]
fn parse_and_docstrings(bencher: divan::Bencher<'_, '_>) {
    let said = |source: Source| {
        source
            .read()
            .map_or(0, |python| python.docstrings().iter().map(|doc| doc.read().sections().len()).sum())
    };
    let read = |sources: Vec<Source>| sources.into_iter().map(said).sum::<usize>();
    bencher.counter(bytes()).with_inputs(sources).bench_values(read);
}
