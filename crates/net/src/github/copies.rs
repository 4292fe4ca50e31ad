//! Answers that are kept from run to run, so that asking again costs little or nothing.

use crate::answer::Validators;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::io::Write;
use std::path::PathBuf;
use url::Url;

/// An answer as it is kept: a line of JSON, then the body.
pub(super) struct Copy {
    pub(super) validators: Validators,
    pub(super) body: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    of: Url,
    etag: Option<String>,
    last_modified: Option<String>,
}

/// A folder of answers. It is a cache: what cannot be read is not there, what cannot be written is asked for again.
pub(super) struct Copies(PathBuf);

impl Copies {
    pub(super) fn new(folder: PathBuf) -> Self {
        Copies(folder)
    }

    pub(super) fn get(&self, url: &Url) -> Option<Copy> {
        let bytes = std::fs::read(self.path(url)).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let Head { of, etag, last_modified } = serde_json::from_slice(&bytes[..end]).ok()?;
        Some(Copy { validators: Validators { of, etag, last_modified }, body: bytes[end + 1..].to_vec() })
    }

    pub(super) fn put(&self, url: &Url, validators: &Validators, body: &[u8]) {
        let Validators { of, etag, last_modified } = validators.clone();
        let kept = || -> std::io::Result<()> {
            let mut bytes = serde_json::to_vec(&Head { of, etag, last_modified })?;
            bytes.push(b'\n');
            bytes.extend_from_slice(body);
            let path = self.path(url);
            std::fs::create_dir_all(&self.0)?;
            let beside = path.with_extension(std::process::id().to_string());
            let mut file = std::fs::File::create(&beside)?;
            file.write_all(&bytes)?;
            std::fs::rename(&beside, &path)
        };
        // What was not kept is asked for again.
        let _kept = kept();
    }

    fn path(&self, url: &Url) -> PathBuf {
        let name: String = Sha1::digest(url.as_str()).iter().map(|byte| format!("{byte:02x}")).collect();
        self.0.join(name)
    }
}
