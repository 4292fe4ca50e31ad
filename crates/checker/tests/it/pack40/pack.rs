//! The pack, as a generated crate has it.

use polc_checker::{Entry, Pack};

mod ai_policy;
mod documentation;
mod git;
mod pull_request;
mod quality;
mod specialized;
mod style;
mod testing;

macro_rules! entries {
    ($($category:ident: $($checker:ident $file:literal),+;)+) => {
        &[$($(Entry::of::<$category::$checker>(
            concat!(stringify!($category), "/", $file),
            include_str!(concat!(stringify!($category), "/", $file, ".toml")),
        )),+),+]
    };
}

pub static PACK: Pack = Pack {
    project: "kiln",
    corpus: "sha256:0",
    entries: entries! {
        ai_policy: C001 "c001", C002 "c002", C003 "c003", C004 "c004", C005 "c005";
        documentation: C006 "c006", C007 "c007", C008 "c008", C009 "c009", C010 "c010";
        git: C011 "c011", C012 "c012", C013 "c013", C014 "c014", C015 "c015";
        style: C016 "c016", C031 "c031", C032 "c032", C033 "c033", C034 "c034", C035 "c035";
        pull_request: C017 "c017", C018 "c018", C019 "c019", C020 "c020";
        quality: C021 "c021", C022 "c022", C023 "c023", C024 "c024", C025 "c025";
        specialized: C026 "c026", C027 "c027", C028 "c028", C029 "c029", C030 "c030";
        testing: C036 "c036", C037 "c037", C038 "c038", C039 "c039", C040 "c040";
    },
};
