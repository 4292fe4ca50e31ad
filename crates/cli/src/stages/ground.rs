//! `ground`: the sources in which quotes are sought.

use super::extract::read_sources;
use crate::arguments::PublishedFolder;
use crate::exit::CliError;
use polc_extraction::assess::PAGE;
use polc_extraction::documents::ReadSource;
use polc_extraction::grounding::{Files, Names};
use polc_records::extraction::ExtractionRow;
use polc_records::layout::Root;
use polc_records::manifest::{Manifest, Source};
use polc_records::pages::{PageFate, PagesFile};
use polc_records::pin::Pin;
use polc_records::project::Project;
use polc_records::store::{load_lines, load_toml};
use polc_records::{Digest, Problem};
use polc_text::{Document, Format};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Sources of several places, with the addresses that they are known under.
#[derive(Debug, Default)]
pub(crate) struct Sought {
    held: Vec<(Source, Document)>,
    pub(crate) names: Names,
}

impl Sought {
    /// Adds what a project retrieved.
    pub(crate) fn add_project(
        &mut self,
        root: &Root,
        project: &Project,
        manifest: &Manifest,
    ) -> Result<(), CliError> {
        let read = read_sources(root, manifest)?;
        self.held.extend(read.into_iter().map(|read| (read.source.clone(), read.document)));
        let names = names(root, project)?;
        self.names.urls.extend(names.urls);
        self.names.same_as.extend(names.same_as);
        self.names.files.extend(names.files);
        Ok(())
    }

    /// Adds the documents of a folder that rows name.
    pub(crate) fn add_folder(
        &mut self,
        place: &PublishedFolder,
        rows: &[ExtractionRow],
    ) -> Result<(), CliError> {
        let folder = &place.folder;
        if !folder.is_dir() {
            return Err(CliError::Misuse {
                what: format!("{} is no folder", folder.display()),
                help: "name the folder that holds what is published at the address: --in URL=FOLDER"
                    .to_owned(),
            });
        }
        let urls = rows.iter().map(|row| row.source.url.split('#').next().unwrap_or_default());
        let named: BTreeMap<&str, &str> = urls
            .filter_map(|url| url.strip_prefix(place.published.as_str()).map(|below| (url, below)))
            .collect();
        for (url, below) in named {
            let Some(file) = file_of(folder, below) else { continue };
            let bytes = std::fs::read(&file).map_err(|error| Problem::io(&file, "read", &error))?;
            let name = file.to_string_lossy();
            // Sphinx publishes the text that a page was made of under a second ending.
            let format = Format::of_path(name.strip_suffix(".txt").unwrap_or(&name));
            let document = Document::derive(&bytes, format).map_err(|error| {
                Problem::new(
                    &file,
                    error.to_string(),
                    "save the file as UTF-8, or leave it out of the folder",
                )
            })?;
            let key = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            self.held.push((source(&key, url, format, document.snapshot), document));
        }
        Ok(())
    }

    /// The sources.
    pub(crate) fn sources(&self) -> Vec<ReadSource<'_>> {
        self.held.iter().map(|(source, document)| ReadSource { source, document: document.clone() }).collect()
    }
}

/// The addresses under which the sources of a project are known beside their own.
pub(crate) fn names(root: &Root, project: &Project) -> Result<Names, CliError> {
    let slug = &project.slug;
    let mut names = Names::default();
    if root.pin(slug).exists() {
        let pin: Pin = load_toml(&root.pin(slug))?;
        names.urls = pin.site.map(|site| site.urls).unwrap_or_default();
        let own = pin.repository.and_then(|repository| repository.host).map(|host| host.name);
        let own = own.into_iter().chain([project.repository.clone()]).collect();
        names.files = vec![Files { project: project.clone(), own }];
    }
    if root.pages(slug).exists() {
        let (_, lines) = load_lines::<PagesFile>(&root.pages(slug))?;
        let same_as = lines.into_iter().filter_map(|line| match line.fate {
            PageFate::SameAs(other) => Some((line.url.to_string(), other.to_string())),
            PageFate::Read { .. }
            | PageFate::Navigation
            | PageFate::File(_)
            | PageFate::Lacking(_)
            | PageFate::Named(_) => None,
        });
        names.same_as = same_as.collect();
    }
    Ok(names)
}

/// The file that answers at a path, as servers of documentation answer.
fn file_of(folder: &Path, below: &str) -> Option<PathBuf> {
    let bare = below.trim_matches('/');
    let page = bare.strip_suffix(".html").unwrap_or(bare);
    let names =
        [bare.to_owned(), format!("{page}.html"), format!("{bare}/index.html"), format!("{page}/index.html")];
    let inside = |name: &&Path| name.components().all(|part| matches!(part, Component::Normal(_)));
    let mut files = names.iter().map(|name| Path::new(name.trim_start_matches('/'))).filter(inside);
    files.find_map(|name| Some(folder.join(name)).filter(|file| file.is_file()))
}

/// A document of a folder: there is no manifest, so all of it is admitted.
fn source(key: &str, url: &str, format: Format, snapshot: Digest) -> Source {
    let kind = if format == Format::Html { PAGE } else { "file" };
    Source::whole(key, kind, url, snapshot)
}
