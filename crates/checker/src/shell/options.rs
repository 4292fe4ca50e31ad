//! The arguments of a program, taken apart as nearly all programs do.

use super::Word;

/// Which options of a program take a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Takes {
    /// Letters that take the rest of their word, or the next word.
    pub(crate) short: &'static str,
    /// Letters that take the rest of their word alone.
    pub(crate) attached: &'static str,
    /// Names that take the next word where nothing stands behind `=`.
    pub(crate) long: &'static [&'static str],
}

impl Takes {
    pub(crate) const fn new(short: &'static str, long: &'static [&'static str]) -> Takes {
        Takes { short, attached: "", long }
    }
}

/// Arguments, sorted into options and the rest.
pub(crate) struct Options<'s> {
    /// Each with its value, where it takes one that can be known.
    given: Vec<(Name<'s>, Option<&'s str>)>,
    /// What is no option, in order.
    pub(crate) others: Vec<&'s Word>,
    /// Whether a word that could be an option cannot be known.
    pub(crate) unclear: bool,
}

#[derive(PartialEq, Eq)]
enum Name<'s> {
    Short(char),
    Long(&'s str),
}

impl<'s> Options<'s> {
    pub(crate) fn of(arguments: &'s [Word], takes: &Takes) -> Self {
        let mut options = Options { given: Vec::new(), others: Vec::new(), unclear: false };
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            let text = match word.text() {
                Some("--") => {
                    options.others.extend(rest);
                    break;
                }
                Some(text) => text,
                // A value behind the name of its option is what cannot be known of it.
                None => match word.source().split_once('=') {
                    Some((name, _)) if name.starts_with("--") => {
                        options.given.push((Name::Long(&name[2..]), None));
                        continue;
                    }
                    _ => {
                        options.unclear |=
                            word.pattern().is_none() && !word.source().starts_with(['\'', '/', '.']);
                        options.others.push(word);
                        continue;
                    }
                },
            };
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None if takes.long.contains(&text) => (long, rest.next().and_then(Word::text)),
                    None => (long, None),
                };
                options.given.push((Name::Long(name), value));
            } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
                options.cluster(cluster, takes, &mut rest);
            } else {
                options.others.push(word);
            }
        }
        options
    }

    /// Short options in one word, of which the last may take the rest of it or the next word.
    fn cluster(&mut self, cluster: &'s str, takes: &Takes, rest: &mut std::slice::Iter<'s, Word>) {
        for (at, c) in cluster.char_indices() {
            let attached = &cluster[at + c.len_utf8()..];
            if takes.short.contains(c) {
                let value =
                    if attached.is_empty() { rest.next().and_then(Word::text) } else { Some(attached) };
                self.given.push((Name::Short(c), value));
                return;
            }
            self.given.push((Name::Short(c), None));
            if takes.attached.contains(c) {
                return;
            }
        }
    }

    /// Whether an option is there, by its name without dashes or by its letter.
    pub(crate) fn has(&self, long: &str, short: Option<char>) -> bool {
        self.given.iter().any(|(name, _)| match name {
            Name::Long(name) => *name == long,
            Name::Short(c) => Some(*c) == short,
        })
    }

    /// The values that an option is given, in order; None for one that cannot be known.
    pub(crate) fn values(&self, long: &str, short: char) -> impl Iterator<Item = Option<&'s str>> {
        let is_it = move |name: &Name<'_>| {
            *name == Name::Short(short) || matches!(name, Name::Long(name) if *name == long)
        };
        self.given.iter().filter(move |(name, _)| is_it(name)).map(|(_, value)| *value)
    }
}
