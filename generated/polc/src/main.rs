//! The checkers of `polc`, compiled from its contributor documentation.
//!
//! Made by `polc compile` from the folders beside this file: do not edit it.

#![forbid(unsafe_code)]

use polc_checker::{Entry, Pack};

mod ai_policy {
    pub(crate) mod c003;
    pub(crate) mod c006;
    pub(crate) mod c018;
    pub(crate) mod c020;
}

mod documentation {
    pub(crate) mod c057;
    pub(crate) mod c058;
    pub(crate) mod c059;
    pub(crate) mod c060;
    pub(crate) mod c061;
    pub(crate) mod c062;
    pub(crate) mod c063;
    pub(crate) mod c066;
}

mod git {
    pub(crate) mod c017;
    pub(crate) mod c040;
    pub(crate) mod c041;
    pub(crate) mod c042;
    pub(crate) mod c043;
    pub(crate) mod c044;
    pub(crate) mod c045;
    pub(crate) mod c047;
    pub(crate) mod c048;
    pub(crate) mod c049;
    pub(crate) mod c056;
}

mod pull_request {
    pub(crate) mod c001;
    pub(crate) mod c002;
    pub(crate) mod c073;
    pub(crate) mod c074;
    pub(crate) mod c075;
    pub(crate) mod c076;
    pub(crate) mod c077;
    pub(crate) mod c079;
    pub(crate) mod c080;
}

mod quality {
    pub(crate) mod c013;
    pub(crate) mod c014;
    pub(crate) mod c015;
    pub(crate) mod c028;
    pub(crate) mod c029;
    pub(crate) mod c030;
    pub(crate) mod c031;
    pub(crate) mod c052;
    pub(crate) mod c053;
    pub(crate) mod c054;
    pub(crate) mod c055;
    pub(crate) mod c070;
}

mod specialized {
    pub(crate) mod c067;
    pub(crate) mod c068;
    pub(crate) mod c069;
    pub(crate) mod c072;
}

mod style {
    pub(crate) mod c026;
    pub(crate) mod c027;
    pub(crate) mod c032;
    pub(crate) mod c033;
    pub(crate) mod c034;
    pub(crate) mod c038;
}

mod testing {
    pub(crate) mod c071;
    pub(crate) mod c083;
    pub(crate) mod c086;
    pub(crate) mod c087;
    pub(crate) mod c088;
    pub(crate) mod c091;
}

#[rustfmt::skip]
static ENTRIES: &[Entry] = &[
    Entry::of::<pull_request::c001::C001>("pull_request/c001", include_str!("../cases/pull_request/c001.toml")),
    Entry::of::<pull_request::c002::C002>("pull_request/c002", include_str!("../cases/pull_request/c002.toml")),
    Entry::of::<ai_policy::c003::C003>("ai_policy/c003", include_str!("../cases/ai_policy/c003.toml")),
    Entry::of::<ai_policy::c006::C006>("ai_policy/c006", include_str!("../cases/ai_policy/c006.toml")),
    Entry::of::<quality::c013::C013>("quality/c013", include_str!("../cases/quality/c013.toml")),
    Entry::of::<quality::c014::C014>("quality/c014", include_str!("../cases/quality/c014.toml")),
    Entry::of::<quality::c015::C015>("quality/c015", include_str!("../cases/quality/c015.toml")),
    Entry::of::<git::c017::C017>("git/c017", include_str!("../cases/git/c017.toml")),
    Entry::of::<ai_policy::c018::C018>("ai_policy/c018", include_str!("../cases/ai_policy/c018.toml")),
    Entry::of::<ai_policy::c020::C020>("ai_policy/c020", include_str!("../cases/ai_policy/c020.toml")),
    Entry::of::<style::c026::C026>("style/c026", include_str!("../cases/style/c026.toml")),
    Entry::of::<style::c027::C027>("style/c027", include_str!("../cases/style/c027.toml")),
    Entry::of::<quality::c028::C028>("quality/c028", include_str!("../cases/quality/c028.toml")),
    Entry::of::<quality::c029::C029>("quality/c029", include_str!("../cases/quality/c029.toml")),
    Entry::of::<quality::c030::C030>("quality/c030", include_str!("../cases/quality/c030.toml")),
    Entry::of::<quality::c031::C031>("quality/c031", include_str!("../cases/quality/c031.toml")),
    Entry::of::<style::c032::C032>("style/c032", include_str!("../cases/style/c032.toml")),
    Entry::of::<style::c033::C033>("style/c033", include_str!("../cases/style/c033.toml")),
    Entry::of::<style::c034::C034>("style/c034", include_str!("../cases/style/c034.toml")),
    Entry::of::<style::c038::C038>("style/c038", include_str!("../cases/style/c038.toml")),
    Entry::of::<git::c040::C040>("git/c040", include_str!("../cases/git/c040.toml")),
    Entry::of::<git::c041::C041>("git/c041", include_str!("../cases/git/c041.toml")),
    Entry::of::<git::c042::C042>("git/c042", include_str!("../cases/git/c042.toml")),
    Entry::of::<git::c043::C043>("git/c043", include_str!("../cases/git/c043.toml")),
    Entry::of::<git::c044::C044>("git/c044", include_str!("../cases/git/c044.toml")),
    Entry::of::<git::c045::C045>("git/c045", include_str!("../cases/git/c045.toml")),
    Entry::of::<git::c047::C047>("git/c047", include_str!("../cases/git/c047.toml")),
    Entry::of::<git::c048::C048>("git/c048", include_str!("../cases/git/c048.toml")),
    Entry::of::<git::c049::C049>("git/c049", include_str!("../cases/git/c049.toml")),
    Entry::of::<quality::c052::C052>("quality/c052", include_str!("../cases/quality/c052.toml")),
    Entry::of::<quality::c053::C053>("quality/c053", include_str!("../cases/quality/c053.toml")),
    Entry::of::<quality::c054::C054>("quality/c054", include_str!("../cases/quality/c054.toml")),
    Entry::of::<quality::c055::C055>("quality/c055", include_str!("../cases/quality/c055.toml")),
    Entry::of::<git::c056::C056>("git/c056", include_str!("../cases/git/c056.toml")),
    Entry::of::<documentation::c057::C057>("documentation/c057", include_str!("../cases/documentation/c057.toml")),
    Entry::of::<documentation::c058::C058>("documentation/c058", include_str!("../cases/documentation/c058.toml")),
    Entry::of::<documentation::c059::C059>("documentation/c059", include_str!("../cases/documentation/c059.toml")),
    Entry::of::<documentation::c060::C060>("documentation/c060", include_str!("../cases/documentation/c060.toml")),
    Entry::of::<documentation::c061::C061>("documentation/c061", include_str!("../cases/documentation/c061.toml")),
    Entry::of::<documentation::c062::C062>("documentation/c062", include_str!("../cases/documentation/c062.toml")),
    Entry::of::<documentation::c063::C063>("documentation/c063", include_str!("../cases/documentation/c063.toml")),
    Entry::of::<documentation::c066::C066>("documentation/c066", include_str!("../cases/documentation/c066.toml")),
    Entry::of::<specialized::c067::C067>("specialized/c067", include_str!("../cases/specialized/c067.toml")),
    Entry::of::<specialized::c068::C068>("specialized/c068", include_str!("../cases/specialized/c068.toml")),
    Entry::of::<specialized::c069::C069>("specialized/c069", include_str!("../cases/specialized/c069.toml")),
    Entry::of::<quality::c070::C070>("quality/c070", include_str!("../cases/quality/c070.toml")),
    Entry::of::<testing::c071::C071>("testing/c071", include_str!("../cases/testing/c071.toml")),
    Entry::of::<specialized::c072::C072>("specialized/c072", include_str!("../cases/specialized/c072.toml")),
    Entry::of::<pull_request::c073::C073>("pull_request/c073", include_str!("../cases/pull_request/c073.toml")),
    Entry::of::<pull_request::c074::C074>("pull_request/c074", include_str!("../cases/pull_request/c074.toml")),
    Entry::of::<pull_request::c075::C075>("pull_request/c075", include_str!("../cases/pull_request/c075.toml")),
    Entry::of::<pull_request::c076::C076>("pull_request/c076", include_str!("../cases/pull_request/c076.toml")),
    Entry::of::<pull_request::c077::C077>("pull_request/c077", include_str!("../cases/pull_request/c077.toml")),
    Entry::of::<pull_request::c079::C079>("pull_request/c079", include_str!("../cases/pull_request/c079.toml")),
    Entry::of::<pull_request::c080::C080>("pull_request/c080", include_str!("../cases/pull_request/c080.toml")),
    Entry::of::<testing::c083::C083>("testing/c083", include_str!("../cases/testing/c083.toml")),
    Entry::of::<testing::c086::C086>("testing/c086", include_str!("../cases/testing/c086.toml")),
    Entry::of::<testing::c087::C087>("testing/c087", include_str!("../cases/testing/c087.toml")),
    Entry::of::<testing::c088::C088>("testing/c088", include_str!("../cases/testing/c088.toml")),
    Entry::of::<testing::c091::C091>("testing/c091", include_str!("../cases/testing/c091.toml")),
];

#[rustfmt::skip]
static PACK: Pack = Pack {
    project: "polc",
    corpus: "sha256:f7f358dce21034f47df1001a11964e8dd51f205e1930ec48549903ee005ee873",
    entries: ENTRIES,
};

fn main() -> std::process::ExitCode {
    polc_checker::executable::main(&PACK)
}

#[cfg(test)]
mod authored_cases {
    #[test]
    fn c001() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C001");
    }
    #[test]
    fn c002() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C002");
    }
    #[test]
    fn c003() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C003");
    }
    #[test]
    fn c006() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C006");
    }
    #[test]
    fn c013() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C013");
    }
    #[test]
    fn c014() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C014");
    }
    #[test]
    fn c015() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C015");
    }
    #[test]
    fn c017() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C017");
    }
    #[test]
    fn c018() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C018");
    }
    #[test]
    fn c020() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C020");
    }
    #[test]
    fn c026() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C026");
    }
    #[test]
    fn c027() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C027");
    }
    #[test]
    fn c028() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C028");
    }
    #[test]
    fn c029() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C029");
    }
    #[test]
    fn c030() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C030");
    }
    #[test]
    fn c031() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C031");
    }
    #[test]
    fn c032() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C032");
    }
    #[test]
    fn c033() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C033");
    }
    #[test]
    fn c034() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C034");
    }
    #[test]
    fn c038() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C038");
    }
    #[test]
    fn c040() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C040");
    }
    #[test]
    fn c041() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C041");
    }
    #[test]
    fn c042() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C042");
    }
    #[test]
    fn c043() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C043");
    }
    #[test]
    fn c044() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C044");
    }
    #[test]
    fn c045() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C045");
    }
    #[test]
    fn c047() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C047");
    }
    #[test]
    fn c048() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C048");
    }
    #[test]
    fn c049() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C049");
    }
    #[test]
    fn c052() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C052");
    }
    #[test]
    fn c053() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C053");
    }
    #[test]
    fn c054() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C054");
    }
    #[test]
    fn c055() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C055");
    }
    #[test]
    fn c056() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C056");
    }
    #[test]
    fn c057() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C057");
    }
    #[test]
    fn c058() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C058");
    }
    #[test]
    fn c059() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C059");
    }
    #[test]
    fn c060() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C060");
    }
    #[test]
    fn c061() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C061");
    }
    #[test]
    fn c062() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C062");
    }
    #[test]
    fn c063() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C063");
    }
    #[test]
    fn c066() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C066");
    }
    #[test]
    fn c067() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C067");
    }
    #[test]
    fn c068() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C068");
    }
    #[test]
    fn c069() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C069");
    }
    #[test]
    fn c070() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C070");
    }
    #[test]
    fn c071() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C071");
    }
    #[test]
    fn c072() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C072");
    }
    #[test]
    fn c073() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C073");
    }
    #[test]
    fn c074() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C074");
    }
    #[test]
    fn c075() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C075");
    }
    #[test]
    fn c076() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C076");
    }
    #[test]
    fn c077() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C077");
    }
    #[test]
    fn c079() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C079");
    }
    #[test]
    fn c080() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C080");
    }
    #[test]
    fn c083() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C083");
    }
    #[test]
    fn c086() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C086");
    }
    #[test]
    fn c087() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C087");
    }
    #[test]
    fn c088() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C088");
    }
    #[test]
    fn c091() {
        polc_checker::cases::assert_rule(super::PACK.project, super::ENTRIES, "POLC-C091");
    }
}
