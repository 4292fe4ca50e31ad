use crate::{FORMATS, LIONS, at, failure, question, run, run_with, settings};
use polc_llm::{Engine, Failure, Run, Settings};
use polc_net::{FetchError, Phase};
use polc_testkit::server::closed_url;
use polc_testkit::{ModelServer, Reply, Said};
use std::time::Duration;

#[tokio::test]
async fn what_passes_is_asked_again() {
    let hour_ago = "Wed, 21 Oct 2015 07:28:00 GMT";
    let passing = [
        Said::Status(429),
        Said::RetryAfter("0".into()),
        Said::RetryAfter(hour_ago.into()),
        Said::Error(529, "overloaded_error".into(), "Overloaded".into()),
        Said::Error(500, "api_error".into(), "broken".into()),
        Said::Status(503),
        Said::Status(502),
        Said::Dropped(LIONS.into()),
        Said::Raw(Reply::raw("")),
    ];
    for wire in FORMATS {
        for trouble in passing.clone() {
            let server = ModelServer::start();
            server.script([trouble.clone(), trouble.clone(), Said::answer(LIONS)]);
            let (run, _folder) = run(&server, wire);
            run.ask(&question("the page")).await.unwrap_or_else(|error| panic!("{trouble:?}: {error}"));
            assert_eq!(server.asked().len(), 3, "{trouble:?}");
            let asked = server.asked();
            assert!(asked.iter().all(|one| one.body == asked[0].body), "the same request each time");
        }
    }
}

/// What a server is waited for is short; what it drips would take a minute.
fn impatient(settings: Settings) -> Settings {
    Settings { timeout: Duration::from_millis(300), ..settings }
}

#[tokio::test]
async fn silence_and_dripping_end_at_the_timeout() {
    for wire in FORMATS {
        for slow in [Said::Silence, Said::Dripping(LIONS.into(), Duration::from_millis(150))] {
            let server = ModelServer::start();
            server.script([slow.clone(), slow.clone(), Said::answer(LIONS)]);
            let folder = tempfile::tempdir().unwrap();
            let run = run_with(impatient(settings(&server, wire)), Engine::Endpoint, folder.path());
            run.ask(&question("recovered")).await.unwrap();
            assert_eq!(run.tally().lost, 2, "somebody may have written two answers in vain");
            server.script([slow.clone(), slow.clone(), slow.clone()]);
            let failure = run.ask(&question("given up")).await.unwrap_err();
            let Failure::Unanswered(error) = &failure else { panic!("{failure}") };
            let timed_out = matches!(
                error.error,
                FetchError::TimedOut { phase: Phase::Answer | Phase::Body | Phase::End, attempts: 3, .. }
            );
            assert!(timed_out && error.lost == 3, "{failure}");
            assert!(!failure.ends_the_run());
        }
    }
}

#[tokio::test]
async fn a_busy_endpoint_is_given_up_with_its_own_words() {
    for wire in FORMATS {
        let server = ModelServer::start();
        let busy = Said::Error(529, "overloaded_error".into(), "Too many people".into());
        server.script([busy.clone(), busy.clone(), busy]);
        let found = failure(&server, wire).await;
        assert!(found.to_string().contains("still answers 529: Too many people after 3 attempts"), "{found}");
        assert!(found.ends_the_run());
        assert_eq!(server.asked().len(), 3);
    }
}

#[tokio::test]
async fn an_endpoint_that_asks_for_a_long_pause_is_not_asked_again() {
    for after in ["3600", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let server = ModelServer::start();
        server.script([Said::RetryAfter(after.into()), Said::answer(LIONS)]);
        let found = failure(&server, FORMATS[0]).await;
        let Failure::Busy { status: 429, asked: Some(asked), .. } = found else { panic!("{found}") };
        assert!(asked >= Duration::from_secs(3600));
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn what_will_not_pass_is_told_and_not_asked_again() {
    type Expected = fn(&Failure) -> bool;
    let cases: [(u16, &str, &str, Expected); 8] = [
        (400, "invalid_request_error", "minItems is not permitted", |f| {
            matches!(f, Failure::Rejected { .. })
        }),
        (400, "context_length_exceeded", "too many tokens", |f| matches!(f, Failure::TooLong { .. })),
        (400, "exceed_context_size_error", "too many tokens", |f| matches!(f, Failure::TooLong { .. })),
        (413, "request_too_large", "too large", |f| matches!(f, Failure::TooLong { .. })),
        (401, "authentication_error", "invalid key", |f| matches!(f, Failure::KeyRefused { .. })),
        (403, "permission_error", "no access", |f| matches!(f, Failure::KeyRefused { .. })),
        (404, "not_found_error", "no model", |f| matches!(f, Failure::ModelUnknown { .. })),
        (429, "insufficient_quota", "pay first", |f| matches!(f, Failure::NoCredit { .. })),
    ];
    for wire in FORMATS {
        for (status, kind, message, expected) in cases {
            let server = ModelServer::start();
            server.script([Said::Error(status, kind.into(), message.into())]);
            let found = failure(&server, wire).await;
            assert!(expected(&found), "{status} {kind}: {found:?}");
            assert!(found.to_string().contains(message), "{found}");
            assert_eq!(server.asked().len(), 1, "{status} {kind}");
            assert_eq!(found.ends_the_run(), !matches!(found, Failure::TooLong { .. }));
        }
    }
}

#[tokio::test]
async fn errors_of_other_forms_are_understood_too() {
    // One server leaves out the outer type, one has numbers for codes, one is a proxy.
    let bodies = [
        (r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#, "Loading model"),
        (r#"{"error":{"message":"Loading model"}}"#, "Loading model"),
        ("<html><h1>Bad\n gateway</h1>", "<html><h1>Bad gateway</h1>"),
        ("", "503 after"),
    ];
    for (body, expected) in bodies {
        let server = ModelServer::start();
        let reply = Said::Raw(Reply::status(503).body(body));
        server.script([reply.clone(), reply.clone(), reply]);
        let found = failure(&server, FORMATS[1]).await.to_string();
        assert!(found.contains(expected), "{found}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_key() {
    let (here, elsewhere) = (ModelServer::start(), ModelServer::start());
    here.script([Said::Raw(Reply::redirect(&elsewhere.base_url()))]);
    let found = failure(&here, FORMATS[0]).await;
    assert!(matches!(found, Failure::Rejected { status: 302, .. }), "{found}");
    assert_eq!(elsewhere.asked(), []);
}

#[tokio::test]
async fn nothing_is_sent_offline_and_nobody_is_reached_where_nobody_is() {
    let server = ModelServer::start();
    let folder = tempfile::tempdir().unwrap();
    let offline = Settings { offline: true, ..settings(&server, FORMATS[0]) };
    let run = run_with(offline, Engine::Endpoint, folder.path());
    let found = run.ask(&question("the page")).await.unwrap_err();
    assert!(found.to_string().contains("this run is offline") && found.ends_the_run(), "{found}");
    assert_eq!(server.asked(), []);

    let nobody = at(&closed_url(), FORMATS[0], None);
    let run = run_with(nobody, Engine::Endpoint, folder.path());
    let found = run.ask(&question("the page")).await.unwrap_err();
    assert!(found.to_string().contains("cannot be reached") && found.ends_the_run(), "{found}");
    assert_eq!(run.tally().lost, 0, "nobody can have worked for us");
}

#[tokio::test]
async fn a_failure_of_one_takes_nothing_from_the_others_and_one_of_all_ends_the_run() {
    for wire in FORMATS {
        let server = ModelServer::start();
        server.obey(|asked| match asked.last() {
            "3" => Said::Refused("no".into()),
            "7" => Said::Error(401, "authentication_error".into(), "revoked".into()),
            _ => Said::answer(LIONS),
        });
        let folder = tempfile::tempdir().unwrap();
        let one_by_one = Settings { concurrency: 1, ..settings(&server, wire) };
        let run = run_with(one_by_one.clone(), Engine::Endpoint, folder.path());
        let all = ask_ten(&run).await;
        let good: Vec<bool> = all.iter().map(Result::is_ok).collect();
        assert_eq!(good, [true, true, true, false, true, true, true, false, false, false]);
        assert_eq!(server.asked().len(), 8, "nothing is asked after the key was refused");
        assert!(matches!(run.ended(), Some(Failure::KeyRefused { .. })));
        // What was answered is kept, and only the rest is asked for.
        server.obey(|_| Said::answer(LIONS));
        let again = run_with(one_by_one, Engine::Endpoint, folder.path());
        assert_eq!(ask_ten(&again).await.iter().filter(|answer| answer.is_ok()).count(), 9);
        assert_eq!((server.asked().len(), again.tally().recorded), (11, 7));
    }
}

async fn ask_ten(run: &Run) -> Vec<Result<(), Failure>> {
    let pages: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    run.each(&pages, |page| async move { run.ask(&question(page)).await.map(|_| ()) }).await
}
