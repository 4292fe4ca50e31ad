//! What a contribution does to a Python file, and what of it can be selected.

use super::{
    Assert, Assignment, Call, Comment, Decorator, Definition, Handler, Import, Node, Parameter, Python,
    Raise, Try,
};
use crate::declaration::Ownership;
use crate::diff::Diff;
use crate::docstring::{Docstring, Example};
use crate::evidence::{Absence, FileChange};
use crate::outcome::Missing;
use crate::target::origin::{Origin, Source};
use crate::target::{Place, Target};
use crate::view::{Selection, View};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Something that stands at a place of a Python file.
pub trait Spot {
    /// The lines it stands on.
    fn lines(&self) -> RangeInclusive<usize>;
    /// Its source.
    fn source(&self) -> &str;
    /// The definition that it is, where it is one.
    fn definition(&self) -> Option<Definition<'_>> {
        None
    }
}

macro_rules! spots {
    ($($name:ident),+) => {
        $(impl Spot for $name<'_> {
            fn lines(&self) -> RangeInclusive<usize> {
                self.node().lines()
            }

            fn source(&self) -> &str {
                self.node().text()
            }
        })+
    };
}

spots!(Assert, Assignment, Call, Decorator, Handler, Import, Parameter, Raise, Try);

impl Spot for Definition<'_> {
    fn lines(&self) -> RangeInclusive<usize> {
        self.node().lines()
    }

    fn source(&self) -> &str {
        self.node().text()
    }

    fn definition(&self) -> Option<Definition<'_>> {
        Some(*self)
    }
}

impl Spot for Node<'_> {
    fn lines(&self) -> RangeInclusive<usize> {
        Node::lines(*self)
    }

    fn source(&self) -> &str {
        self.text()
    }

    fn definition(&self) -> Option<Definition<'_>> {
        self.as_definition()
    }
}

impl Spot for Comment<'_> {
    fn lines(&self) -> RangeInclusive<usize> {
        self.line()..=self.line()
    }

    fn source(&self) -> &str {
        self.text()
    }
}

impl Spot for Docstring<'_> {
    fn lines(&self) -> RangeInclusive<usize> {
        Docstring::lines(*self)
    }

    fn source(&self) -> &str {
        self.node().text()
    }
}

impl Spot for Example {
    fn lines(&self) -> RangeInclusive<usize> {
        self.lines.clone()
    }

    fn source(&self) -> &str {
        &self.source
    }
}

/// A target in a Python file after the change: a definition, a call, a comment, a docstring, …
#[derive(Debug, Clone)]
pub struct Code<'e, T> {
    /// The file.
    pub file: &'e FileChange,
    /// What stands there.
    pub item: T,
}

impl<T: Spot> Origin for Code<'_, T> {
    fn source(&self) -> Source<'_> {
        Source::File(self.file)
    }
}

impl<T: Spot> Target for Code<'_, T> {
    fn place(&self) -> Place {
        let lines = self.item.lines();
        Place::Lines { path: self.file.path.clone(), first: *lines.start(), last: *lines.end() }
    }

    fn snippet(&self) -> String {
        self.item.source().to_owned()
    }

    /// A definition is created where the file before had none of its qualified name; anything else, where
    /// every line of it was written. Decorators are part of a definition.
    fn is_owned(&self, ownership: Ownership) -> bool {
        let Some(diff) = self.file.diff() else { return false };
        let lines = self.item.lines();
        let before = self.file.python_before();
        match (ownership, self.item.definition(), before) {
            (Ownership::Created, Some(definition), Some(Ok(before))) => {
                diff.touches(&lines) && before.defined(&definition.qualified_name()).is_empty()
            }
            (Ownership::Created, _, _) => diff.authors_all(&lines),
            (Ownership::Touched | Ownership::Enclosing, _, _) => diff.touches(&lines),
        }
    }
}

/// A Python file that is changed, with what it was before.
#[derive(Debug, Clone, Copy)]
pub struct PythonChange<'e> {
    /// The file.
    pub file: &'e FileChange,
    /// What changed in it.
    pub diff: &'e Diff,
    /// After the change.
    pub head: Python<'e>,
}

impl<'e> PythonChange<'e> {
    /// These things of the file after the change, as targets, as far as an ownership owns them:
    /// `change.owned(Ownership::Touched, change.head.calls())`.
    pub fn owned<T: Spot>(
        self,
        ownership: Ownership,
        items: impl IntoIterator<Item = T>,
    ) -> Vec<Code<'e, T>> {
        let targets = items.into_iter().map(|item| Code { file: self.file, item });
        targets.filter(|target| target.is_owned(ownership)).collect()
    }

    /// The definitions that the change touches: an edit or a deletion inside of them, decorators included.
    pub fn touched(self) -> Vec<Definition<'e>> {
        self.head.definitions().into_iter().filter(|found| self.diff.touches(&found.lines())).collect()
    }

    /// The innermost definitions that the change touches.
    pub fn innermost(self) -> Vec<Definition<'e>> {
        let touched = self.touched();
        let is_around = |found: &Definition<'e>| {
            let inside = touched.iter().filter(|inner| inner.node().ancestors().any(|up| up == found.node()));
            let own: Vec<usize> = found.lines().filter(|line| self.diff.touches(&(*line..=*line))).collect();
            let covered: Vec<RangeInclusive<usize>> = inside.map(Spot::lines).collect();
            own.iter().all(|line| covered.iter().any(|lines| lines.contains(line)))
        };
        touched.iter().copied().filter(|found| !is_around(found)).collect()
    }

    /// The file before the change; none where it is new or was no text.
    ///
    /// # Errors
    /// Where its text was not kept, or did not parse.
    pub fn base(self) -> Result<Option<Python<'e>>, Missing> {
        match self.file.base.withheld() {
            Some(cause) => Err(Missing::new(&self.file.path, cause)),
            None => parsed(self.file, self.file.python_before()),
        }
    }

    /// The definitions whose qualified name the file before did not have.
    ///
    /// # Errors
    /// As [`PythonChange::base`].
    pub fn added(self) -> Selection<Definition<'e>> {
        let before = by_name(self.base()?);
        let after = self.head.definitions().into_iter();
        Ok(after.filter(|found| !before.contains_key(&found.qualified_name())).collect())
    }

    /// The definitions of the file before whose qualified name is gone.
    ///
    /// # Errors
    /// As [`PythonChange::base`].
    pub fn removed(self) -> Selection<Definition<'e>> {
        let after = by_name(Some(self.head));
        let before = self.base()?.map(Python::definitions).unwrap_or_default().into_iter();
        Ok(before.filter(|found| !after.contains_key(&found.qualified_name())).collect())
    }

    /// The definitions on both sides whose text differs: before, after. Of several with one name, the first
    /// is paired with the first.
    ///
    /// # Errors
    /// As [`PythonChange::base`].
    pub fn changed(self) -> Selection<(Definition<'e>, Definition<'e>)> {
        let mut before = by_name(self.base()?);
        let mut pairs = Vec::new();
        for after in self.head.definitions() {
            let Some(same) = before.get_mut(&after.qualified_name()).filter(|same| !same.is_empty()) else {
                continue;
            };
            let old = same.remove(0);
            if old.node().text() != after.node().text() {
                pairs.push((old, after));
            }
        }
        Ok(pairs)
    }
}

fn by_name(file: Option<Python<'_>>) -> BTreeMap<String, Vec<Definition<'_>>> {
    let mut names: BTreeMap<String, Vec<Definition<'_>>> = BTreeMap::new();
    for found in file.map(Python::definitions).unwrap_or_default() {
        names.entry(found.qualified_name()).or_default().push(found);
    }
    names
}

impl<'e> View<'e> {
    /// A file read as Python after the change; none where it is gone or is no text.
    ///
    /// # Errors
    /// Where its text was not kept, or does not parse.
    pub fn python(&self, file: &'e FileChange) -> Result<Option<Python<'e>>, Missing> {
        if self.head_text(file)?.is_none() {
            return Ok(None);
        }
        parsed(file, file.python())
    }

    /// A file read as Python before the change; none where it is new or was no text.
    ///
    /// # Errors
    /// Where its text was not kept, or does not parse.
    pub fn python_before(&self, file: &'e FileChange) -> Result<Option<Python<'e>>, Missing> {
        self.known(file)?;
        match file.base.withheld() {
            Some(cause) => Err(Missing::new(&file.path, cause)),
            None => parsed(file, file.python_before()),
        }
    }

    /// The wanted files that are Python after the change. One that does not parse counts among the targets
    /// as undetermined; what it was before is asked for with [`PythonChange::base`].
    ///
    /// # Errors
    /// As [`View::files`].
    pub fn pythons(&self, wanted: impl Fn(&FileChange) -> bool) -> Selection<PythonChange<'e>> {
        let mut changes = Vec::new();
        for text in self.texts(|file| is_python(file) && wanted(file))? {
            match parsed(text.file, text.file.python()) {
                Ok(Some(head)) => {
                    changes.push(PythonChange { file: text.file, diff: text.diff, head });
                }
                Ok(None) => {}
                Err(missing) => self.leave_unread(text.file, missing),
            }
        }
        Ok(changes)
    }
}

fn is_python(file: &FileChange) -> bool {
    file.ends_in("py") || file.ends_in("pyi")
}

fn parsed<'e, F>(
    file: &'e FileChange,
    read: Option<Result<Python<'e>, F>>,
) -> Result<Option<Python<'e>>, Missing> {
    read.transpose().map_err(|_fault| Missing::new(&file.path, Absence::NotParseable))
}
