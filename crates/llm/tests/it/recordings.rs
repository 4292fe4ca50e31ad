use crate::{FORMATS, LIONS, question, run_with, settings};
use polc_llm::{Engine, Failure, Question, Settings, Store, Tally};
use polc_records::recording::Recorded;
use polc_testkit::shared::files_below;
use polc_testkit::{ModelServer, Said};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc;

fn obedient() -> ModelServer {
    let server = ModelServer::start();
    server.obey(|_| Said::answer(LIONS));
    server
}

#[tokio::test]
async fn what_is_recorded_is_replayed_whoever_answered_it_and_how() {
    let (server, folder) = (obedient(), tempfile::tempdir().unwrap());
    let first = run_with(settings(&server, FORMATS[0]), Engine::Endpoint, folder.path());
    let answer = first.ask(&question("the page")).await.unwrap();
    // Another server, another key, another format: the request is the same.
    let other = crate::with_key(&ModelServer::start(), FORMATS[1], Some("another-key"));
    for engine in [Engine::Replay, Engine::Endpoint] {
        let again = run_with(other.clone(), engine, folder.path());
        assert_eq!(again.ask(&question("the page")).await.unwrap(), answer);
        assert_eq!((again.tally().answered, again.tally().recorded), (0, 1));
    }
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn everything_on_which_an_answer_depends_is_a_part_of_the_request() {
    let (server, folder) = (obedient(), tempfile::tempdir().unwrap());
    let base = settings(&server, FORMATS[0]);
    let digest = |settings: Settings, question: Question<_>| {
        run_with(settings, Engine::Replay, folder.path()).request(&question).digest()
    };
    let same = digest(base.clone(), question("the page"));
    let other = |change: &dyn Fn(&mut Settings, &mut Question<crate::Found>)| {
        let (mut settings, mut question) = (base.clone(), question("the page"));
        change(&mut settings, &mut question);
        digest(settings, question)
    };
    assert_eq!(other(&|_, question| question.label = "another label".into()), same);
    assert_eq!(other(&|settings, _| settings.concurrency = 9), same);
    let all = [
        other(&|settings, _| settings.model = "zoo-2".into()),
        other(&|settings, _| settings.answer_tokens = 5),
        other(&|settings, _| settings.temperature = Some(polc_records::endpoint::Temperature::ZERO)),
        other(&|_, question| question.system.push(' ')),
        other(&|_, question| question.text.push('\n')),
        other(&|_, question| question.sample = 1),
        other(&|_, question| question.form = polc_llm::Form::of("another").unwrap()),
        same,
    ];
    let distinct: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[tokio::test]
async fn another_sample_is_another_answer() {
    let (server, folder) = (ModelServer::start(), tempfile::tempdir().unwrap());
    server.script([Said::answer(LIONS), Said::answer(LIONS.replace("lion", "seal"))]);
    let run = run_with(settings(&server, FORMATS[1]), Engine::Endpoint, folder.path());
    let mut animals = Vec::new();
    for sample in [0, 1, 0, 1] {
        let question = Question { sample, ..question("the page") };
        animals.extend(run.ask(&question).await.unwrap().value.animals);
    }
    assert_eq!(animals, ["lion", "seal", "lion", "seal"]);
    assert_eq!(server.asked()[0].body, server.asked()[1].body, "the model is not told");
}

#[tokio::test]
async fn what_a_model_said_is_recorded_and_what_a_proxy_said_is_not() {
    for wire in FORMATS {
        for (said, recorded) in [
            (Said::Refused("no".into()), 1),
            (Said::Truncated("{".into()), 1),
            (Said::Words("lions".into()), 1),
            (Said::StoppedBy("pause_turn".into()), 0),
            (Said::Html, 0),
            (Said::Empty, 0),
            (Said::Error(400, "invalid_request_error".into(), "no".into()), 0),
        ] {
            let (server, folder) = (ModelServer::start(), tempfile::tempdir().unwrap());
            server.script([said.clone()]);
            let run = run_with(settings(&server, wire), Engine::Endpoint, folder.path());
            let failure = run.ask(&question("the page")).await.unwrap_err();
            assert_eq!(files_below(folder.path()).len(), recorded, "{said:?}");
            if recorded == 1 {
                let replay = run_with(settings(&server, wire), Engine::Replay, folder.path());
                let again = replay.ask(&question("the page")).await.unwrap_err();
                assert_eq!(again.to_string(), failure.to_string(), "the same bytes, and the same failure");
            }
        }
    }
}

#[tokio::test]
async fn a_recording_is_a_file_that_git_can_compare() {
    let (server, folder) = (obedient(), tempfile::tempdir().unwrap());
    let run = run_with(settings(&server, FORMATS[0]), Engine::Endpoint, folder.path());
    run.ask(&question("Lions roar.\n\nSeals \"do\" not.\n")).await.unwrap();
    let [path] = &files_below(folder.path())[..] else { panic!() };
    insta::assert_snapshot!(std::fs::read_to_string(path).unwrap());
}

#[tokio::test]
async fn a_missing_request_is_told_with_what_has_changed() {
    let (server, folder) = (obedient(), tempfile::tempdir().unwrap());
    let run = run_with(settings(&server, FORMATS[0]), Engine::Endpoint, folder.path());
    let labelled = |label: &str, text: &str| Question { label: label.into(), ..question(text) };
    let page = "Name the animals.\n\n<page>\nLions roar.\nSeals bark.\n</page>";
    run.ask(&labelled("extract guide.md § Seals", page)).await.unwrap();
    run.ask(&labelled("extract guide.md § Oxen", "Something else")).await.unwrap();
    let replay = run_with(settings(&server, FORMATS[0]), Engine::Replay, folder.path());
    let changed = page.replace("Name the", "List the");
    let failure = replay.ask(&labelled("extract guide.md § Seals", &changed)).await.unwrap_err();
    let Failure::Missing { recorded: 2, nearest: Some(nearest), digest, .. } = &failure else {
        panic!("{failure}")
    };
    assert_eq!(nearest.label, "extract guide.md § Seals");
    let told =
        failure.to_string().replace(&digest.short(), "<asked>").replace(&nearest.digest.short(), "<nearest>");
    insta::assert_snapshot!(told);
    // Where the label has changed too, the words decide.
    let renamed = replay.ask(&labelled("extract guide.md § Sea lions", &changed)).await.unwrap_err();
    assert!(renamed.to_string().contains("the nearest is `extract guide.md § Seals`"), "{renamed}");
    let empty = run_with(settings(&server, FORMATS[0]), Engine::Replay, &folder.path().join("none"));
    let failure = empty.ask(&question("the page")).await.unwrap_err().to_string();
    assert!(failure.contains("none of 0 recorded requests"), "{failure}");
}

#[tokio::test]
async fn a_recording_that_is_kept_is_replayed_from_there() {
    let (server, folder) = (obedient(), tempfile::tempdir().unwrap());
    let (answers, kept) = (folder.path().join("answers"), folder.path().join("kept"));
    let run = run_with(settings(&server, FORMATS[0]), Engine::Endpoint, &answers);
    let mut digests = Vec::new();
    for page in ["one", "two", "three"] {
        digests.push(run.ask(&question(page)).await.unwrap().request);
    }
    let store = Store::new(&answers);
    store.keep(&kept, &digests).unwrap();
    store.keep(&kept, &digests[..2]).unwrap();
    assert_eq!(files_below(&kept).len(), 2, "what is not needed any more goes");
    let store = Store::new(folder.path().join("empty")).with(&kept);
    let replay =
        polc_llm::Run::new(settings(&server, FORMATS[0]), Engine::Replay, store, &crate::known_prices())
            .unwrap();
    assert!(replay.ask(&question("two")).await.is_ok() && replay.ask(&question("three")).await.is_err());
}

#[tokio::test]
async fn a_recording_that_was_tampered_with_is_refused() {
    let (server, folder) = (obedient(), tempfile::tempdir().unwrap());
    let asking = || run_with(settings(&server, FORMATS[0]), Engine::Endpoint, folder.path());
    asking().ask(&question("the page")).await.unwrap();
    let [path] = &files_below(folder.path())[..] else { panic!() };
    let text = std::fs::read_to_string(path).unwrap();
    for (from, to, expected) in [
        ("the page", "another page", "which is not its name"),
        ("\"schema\": 1", "\"schema\": 2", "install a newer polc"),
        ("\"stopped\"", "\"halted\"", "unknown field `halted`"),
    ] {
        std::fs::write(path, text.replacen(from, to, if from == "the page" { 9 } else { 1 })).unwrap();
        let failure = asking().ask(&question("the page")).await.unwrap_err();
        assert!(failure.to_string().contains(expected), "{failure}");
    }
}

const CHILD: &str = "POLC_TEST_CHILD_OF_RECORDINGS";
const PAGES: usize = 60;

/// Asks for every page, and gives how many answers are those that are recorded, and what it took.
async fn ask_all(base_url: &str, folder: &Path) -> (usize, Tally) {
    let run = run_with(crate::at(base_url, FORMATS[1], None), Engine::Endpoint, folder);
    let pages: Vec<String> = (0..PAGES).map(|number| format!("page {number}")).collect();
    let answers = run.each(&pages, |page| async { run.ask(&question(page)).await }).await;
    let store = Store::new(folder);
    let recorded = |answer: &polc_llm::Answer<crate::Found>| {
        let recorded = store.find(&answer.request).unwrap().unwrap();
        crate::found().read(&recorded.answer.text.0).unwrap() == answer.value
    };
    (answers.iter().filter(|answer| answer.as_ref().is_ok_and(recorded)).count(), run.tally())
}

/// What the processes of the two tests below do. On its own it has nothing to do.
#[tokio::test]
async fn a_process_of_another_test() {
    let Ok(told) = std::env::var(CHILD) else { return };
    let (base_url, folder) = told.split_once(' ').unwrap();
    assert_eq!(ask_all(base_url, Path::new(folder)).await.0, PAGES);
}

fn child(server: &ModelServer, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "recordings::a_process_of_another_test"])
        .env(CHILD, format!("{} {}", server.base_url(), folder.display()))
        .spawn()
        .unwrap()
}

fn all_whole(folder: &Path) -> usize {
    let whole = files_below(folder).into_iter().filter(|path| path.extension().unwrap() == "json");
    whole.inspect(|path| drop(Recorded::load(path).unwrap())).count()
}

#[tokio::test]
async fn two_processes_that_ask_the_same_at_once_go_on_from_the_same_answers() {
    let (server, folder) = (ModelServer::start(), tempfile::tempdir().unwrap());
    // A model that never says the same thing twice, and waits until both have asked.
    let number = std::sync::atomic::AtomicU32::new(0);
    server.obey(move |_| {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Said::Together(8, Box::new(Said::answer(LIONS.replace("lion", &format!("lion {number}")))))
    });
    let children = [child(&server, folder.path()), child(&server, folder.path())];
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!((files_below(folder.path()).len(), all_whole(folder.path())), (PAGES, PAGES));
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_was_recorded() {
    let (server, folder) = (ModelServer::start(), tempfile::tempdir().unwrap());
    let (sender, receiver) = mpsc::channel();
    server.obey(move |_| {
        let _sent = sender.send(());
        Said::answer(LIONS)
    });
    let mut child = child(&server, folder.path());
    for _ in 0..PAGES / 3 {
        receiver.recv().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (kept, asked) = (all_whole(folder.path()), server.asked().len());
    assert!(kept > 0 && kept < PAGES, "{kept}");
    let in_flight = settings(&server, FORMATS[1]).concurrency;
    assert!(asked <= kept + in_flight, "{asked} asked, {kept} kept: only what was open is lost");
    let (all, tally) = ask_all(&server.base_url(), folder.path()).await;
    assert_eq!(all, PAGES);
    let [before, now] = [tally.recorded, tally.answered].map(|number| usize::try_from(number).unwrap());
    assert_eq!((before, now), (kept, PAGES - kept), "only what is missing is asked for");
}
