//! The stages as the commands and the demo run them: files in, files out.

pub(crate) mod audit;
pub(crate) mod classify;
pub(crate) mod compile;
pub(crate) mod copies;
pub(crate) mod decide;
pub(crate) mod drift;
pub(crate) mod extract;
pub(crate) mod grade;
pub(crate) mod ground;
pub(crate) mod hydrate;
pub(crate) mod import;
pub(crate) mod manifest;
pub(crate) mod ordered;
pub(crate) mod pack;
pub(crate) mod papers;
pub(crate) mod pulls;
pub(crate) mod regenerate;
pub(crate) mod runs;
pub(crate) mod siblings;
pub(crate) mod site;
pub(crate) mod status;
pub(crate) mod workbook;
