//! The form of a verb: `Add`, `Added`, `Adds`, `Adding`, told by lists and endings, and left open where neither
//! tells it.

/// The form that a verb has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerbForm {
    /// `add`: the base form.
    Imperative,
    /// `added`, `wrote`, `written`.
    Past,
    /// `adds`.
    ThirdPerson,
    /// `adding`.
    Gerund,
    /// It is no verb that is known, or looks the same in two forms: `set`, `read`.
    Unknown,
}

/// The form of a word, taken for a verb.
pub fn verb_form(word: &str) -> VerbForm {
    let lower = word.to_lowercase();
    let bare = ["re-", "un-", "de-", "pre-", "auto-"].iter().find_map(|prefix| lower.strip_prefix(prefix));
    let word = bare.unwrap_or(&lower);
    if has(SAME_IN_BOTH, word) || has(NO_VERBS, word) {
        VerbForm::Unknown
    } else if is_irregular(word) {
        VerbForm::Past
    } else if has(BASES, word) {
        VerbForm::Imperative
    } else {
        by_ending(word)
    }
}

fn by_ending(word: &str) -> VerbForm {
    let long = word.len() >= 4 && word.is_ascii();
    if long && word.ends_with("ing") && word.bytes().take(word.len() - 3).any(is_vowel) {
        return VerbForm::Gerund;
    }
    if long && word.ends_with("ed") {
        return VerbForm::Past;
    }
    let stem =
        word.strip_suffix('s').filter(|stem| is_base(stem) || stem.strip_suffix('e').is_some_and(is_base));
    let stem = stem.is_some() || word.strip_suffix("ies").is_some_and(|stem| is_base(&format!("{stem}y")));
    match (stem, prefixed(word)) {
        (true, _) => VerbForm::ThirdPerson,
        (false, Some(rest)) if has(BASES, rest) => VerbForm::Imperative,
        (false, _) => VerbForm::Unknown,
    }
}

fn is_base(word: &str) -> bool {
    has(BASES, word) || has(SAME_IN_BOTH, word) || prefixed(word).is_some_and(|rest| has(BASES, rest))
}

/// Whether a word is an irregular past form or participle, with or without a prefix: `rewrote`, `undid`.
fn is_irregular(word: &str) -> bool {
    has(IRREGULAR_PASTS, word) || prefixed(word).is_some_and(|rest| has(IRREGULAR_PASTS, rest))
}

fn prefixed(word: &str) -> Option<&str> {
    ["re", "un", "over", "mis", "under", "out", "de", "pre", "dis", "auto"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix).filter(|rest| rest.len() >= 3))
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn has(words: &str, word: &str) -> bool {
    !word.is_empty() && words.split_ascii_whitespace().any(|found| found == word)
}

/// Verbs whose base form is a past form too, of their own or of another verb.
const SAME_IN_BOTH: &str = "
    bet bid bound broadcast burst cast cost cut fit forecast found hit hurt input knit let offset output overlay
    preset put quit read reread reset rid set shed shut slit split spread sublet thrust typeset underlay
    unset upset wed wet wound become come overcome run rerun";

/// Words that look like a form of a verb and are, at the start of a line, most often none.
const NO_VERBS: &str = "
    anything biped ceiling during evening everything existing hundred indeed king missing morning naked nothing
    ping red ring sacred shed sibling sing something spring sting string swing thing various wing zing bed
    docs tests types notes comments examples imports builds logs lints releases styles scripts tools benchmarks
    classes files fixtures typos errors warnings news always this is was as has does its alias bias canvas";

/// Past forms and participles that no ending gives away.
pub(super) const IRREGULAR_PASTS: &str = "
    arose arisen ate eaten awoke awoken beaten became began begun bent bit bitten bled blew blown bore borne born
    bought bred broke broken brought built burnt came caught chose chosen clung crept dealt did done drank drew
    drawn dreamt driven drove drunk dug fallen fed fell felt fled flew flown flung forbade forbidden forgave
    forgiven forgot forgotten forwent fought froze frozen gave given gone got gotten grew grown had heard held
    hid hidden hung kept knelt knew known laid lain leapt learnt led left lent lit lost made meant met mistook
    mistaken mown overran overrode overridden paid proven ran rang rent ridden risen rode rose rung said sang
    sank sat saw seen sent sewn shaken shaven shone shook shorn shot shown shrank shrunk slain slept slew slid
    slung smelt snuck sold sought sown spat sped spelt spent spilt spoke spoken spoilt sprang sprung spun stole
    stolen stood stricken strove struck strung stuck stung stunk sung sunk swam swept swollen swore sworn swum
    swung taken taught thought threw thrown thriven throve took tore told torn trod trodden understood undid
    undone unwound went wept woke woken won wore worn wove woven withdrew withdrawn withheld withstood wrote
    written wrung";

/// Base forms: those that commits begin with, and those whose ending looks like another form.
pub(super) const BASES: &str = "
    abandon abort absorb abstract accelerate accept access account accumulate achieve acknowledge acquire activate
    adapt add address adjust adopt advance advertise aggregate align allocate allow alphabetise alphabetize alter
    amend analyse analyze anchor animate annotate announce anonymise anonymize answer append apply approve archive
    arrange ask assemble assert assess assign assist associate assume assure attach attempt attribute audit
    augment authenticate authorise authorize automate avoid await backport balance ban base batch be beautify
    begin behave believe bend bind bite bleed blend block blow boost bootstrap borrow break breed bring browse
    buffer build bump bundle buy bypass cache calculate calibrate call cancel cap capitalise capitalize capture
    care carry catch categorise categorize cause centralise centralize change check choose clamp clarify classify
    clean cleanup clear click clone close coalesce code coerce collapse collect colour color combine commence
    comment commit compact compare compile complete compose compress compute concatenate condense configure
    confine confirm conform connect consider consolidate constrain construct consume contain continue contribute
    control convert coordinate copy correct corrupt count cover crash create credit crop cross customise customize
    cycle damage date deactivate deal debug declare decode decompose decorate decouple decrease dedent dedupe
    deduplicate deepen default defer define delay delegate delete deliver demonstrate demote deny depend deploy
    deprecate derive describe deselect deserialise deserialize design destroy detach detail detect determine
    develop diagnose differ digest dim direct disable disallow disambiguate discard disclose disconnect discover
    discuss dismiss dispatch display distinguish distribute divide do document double download downgrade drain
    draw drive drop dry dump duplicate ease eat edit elaborate elevate eliminate embed emit emphasise emphasize
    employ empty emulate enable encapsulate encode encourage encrypt end enforce enhance enlarge enqueue enrich
    ensure enter enumerate equip erase escape establish estimate evaluate evict examine exceed except exchange
    exclude execute exempt exercise exit expand expect expire explain explicitly exploit export expose express
    extend extract factor fail fall favour favor feed fetch fight figure fill filter finalise finalize find
    finish fire fix flag flatten flip float flush focus fold follow forbid force forget forgive fork form format
    formalise formalize forward free freeze freshen fulfil fulfill fuse gate gather generalise generalize generate
    get give go grab grant group grow guarantee guard guess guide handle hang harden harmonise harmonize hash have
    heed help hide highlight hint hoist hold honour honor hook host hyphenate identify ignore illustrate implement
    import improve include incorporate increase increment indent index indicate infer inform inherit initialise
    initialize inject inline insert inspect install instantiate instruct integrate intercept interpolate interpret
    introduce invalidate invert investigate invoke isolate issue iterate join journal jump justify keep kill know
    label lay layout lead leak learn leave lend lengthen lift light like limit link lint list listen load localise
    localize locate lock log look loosen lose lower maintain make manage map mark mask match materialise
    materialize maximise maximize mean measure meet mend mention merge migrate mimic minify minimise minimize
    mirror mock model modernise modernize modify modularise modularize monitor mount move mute name narrow
    navigate need neglect nest normalise normalize note notify nudge null number obey obtain occur omit open operate
    optimise optimize order organise organize overhaul overload override overwrite own pack package pad paginate paint
    parallelise parallelize parameterise parameterize parametrise parametrize parse part partition pass paste patch
    pause pay peg perform permit persist pick pin pipe place plan plot plug point polish poll populate port position
    postpone prefer prefix prepare prepend preserve press prettify prevent print prioritise prioritize probe proceed
    process produce profile prohibit promote prompt propagate propose protect prove provide prune publish pull purge
    push qualify quantise quantize query queue quiet quote raise randomise randomize rank reach realign rearrange
    rebase rebuild recalculate receive recognise recognize recommend reconcile record recover recycle redirect redo
    reduce refactor refer refine reflect reflow reformat refresh refuse register regress regroup reintroduce reject
    relate relax release reload relocate rely remain remember remind remove rename render reopen reorder reorganise
    reorganize repair repeat rephrase replace report represent reproduce request require rescue reserve resolve
    respect respond restore restrict restructure retain rethrow retire retrieve retry return reuse reveal revert review
    revise revisit revive reword rework rewrite ride ring rip rise roll rotate round route sanitise sanitize satisfy
    save say scale scan schedule scope search secure see seed seek select sell send separate serialise serialize
    serve shake shape share sharpen shift shine ship shorten show shrink shuffle sign signal silence simplify simulate
    sing sink sit skip sleep slice slide slow smooth snapshot sort spawn speak specialise specialize specify speed
    spell spend spin spot squash stabilise stabilize stage stand standardise standardize start state stay steal
    stick stop store stream streamline strengthen strike string strip structure study stub style submit subscribe
    substitute subtract succeed suggest summarise summarize supersede supply support suppress survive suspend sustain
    swap sweep switch symlink sync synchronise synchronize tag take target teach tear tell terminate test thank
    think thread throttle throw tidy tie tighten time toggle tokenise tokenize tolerate touch trace track trade trail
    train transfer transform transition translate transmit transpose traverse treat trigger trim truncate try tune
    turn tweak type unblock unbreak underline understand undo unescape unify unite unlink unlock unpack unpin
    unregister unroll untangle unwind unwrap update upgrade upload use utilise utilize validate value vectorise
    vectorize vendor verify version view visit visualise visualize void wait wake walk warn warrant wash watch weaken
    wear weed weigh widen win wind wire withdraw withhold work wrap write yield zero zip";
