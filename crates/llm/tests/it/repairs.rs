use crate::{FORMATS, Found, LIONS, question, repair, run, run_with, settings};
use polc_llm::{Engine, Failure, Fault, Store};
use polc_testkit::{ModelServer, Said};
use serde_json::json;

fn only_lions(found: &Found) -> Vec<String> {
    let others = found.animals.iter().filter(|animal| *animal != "lion");
    others.map(|animal| format!("`{animal}` is not on the page")).collect()
}

#[tokio::test]
async fn an_answer_is_asked_for_again_with_its_faults_named() {
    for wire in FORMATS {
        let server = ModelServer::start();
        server.script([
            Said::answer(r#"{"animals":["lion"],"noise":"deafening"}"#),
            Said::answer(r#"{"animals":["seal","ox"],"noise":"loud"}"#),
            Said::answer(LIONS),
        ]);
        let (run, folder) = run(&server, wire);
        let answer = run.settle(&question("the page"), &repair(2, &only_lions)).await.unwrap();
        assert_eq!((answer.value.animals.as_slice(), answer.asked()), (&["lion".to_owned()][..], 3));
        // What a project keeps of it is enough to go the same way again.
        let kept = folder.path().join("kept");
        let requests: Vec<_> = answer.requests().copied().collect();
        Store::new(folder.path()).keep(&kept, &requests).unwrap();
        let replay = run_with(settings(&server, wire), Engine::Replay, &kept);
        assert_eq!(replay.settle(&question("the page"), &repair(2, &only_lions)).await.unwrap(), answer);
        let last: Vec<String> = server.asked().iter().map(|asked| asked.last().to_owned()).collect();
        assert_eq!(last[0], "the page");
        assert!(last[1].contains("at `/noise`") && last[1].contains("'quiet'"), "{}", last[1]);
        assert_eq!(last[2], "Answer again. Wrong was: `seal` is not on the page; `ox` is not on the page");
        let third = server.asked()[2].text();
        assert!(third.contains("seal") && !third.contains("deafening"), "the last answer alone goes along");
    }
}

#[tokio::test]
async fn what_is_never_right_is_told_with_every_attempt() {
    let server = ModelServer::start();
    server.obey(|asked| match asked.body["messages"].as_array().unwrap().len() {
        2 => Said::answer(r#"{"animals":["seal"],"noise":"loud"}"#),
        _ => Said::Words("I think it is a seal".into()),
    });
    let (run, _folder) = run(&server, FORMATS[0]);
    let unsettled = run.settle(&question("the page"), &repair(2, &only_lions)).await.unwrap_err();
    assert_eq!((unsettled.attempts.len(), server.asked().len()), (3, 3));
    assert_eq!(
        unsettled.attempts[0].value.as_ref().unwrap().animals,
        ["seal"],
        "what is good in it may be used"
    );
    assert!(matches!(unsettled.attempts[2].fault, Fault::NotJson { .. }));
    insta::assert_snapshot!(without_digests(&unsettled.to_string()));
}

/// With every short digest replaced.
fn without_digests(text: &str) -> String {
    let parts = text.split(" (");
    parts
        .map(|part| match part.split_once("): ") {
            Some((digest, rest)) if digest.len() == 12 => format!("<digest>): {rest}"),
            _ => part.to_owned(),
        })
        .collect::<Vec<_>>()
        .join(" (")
}

#[tokio::test]
async fn a_refusal_or_a_truncation_ends_the_matter() {
    for wire in FORMATS {
        for said in [Said::Refused("No.".into()), Said::Truncated(LIONS.into())] {
            let server = ModelServer::start();
            server.script([said]);
            let (run, _folder) = run(&server, wire);
            let unsettled = run.settle(&question("the page"), &repair(5, &only_lions)).await.unwrap_err();
            assert_eq!((unsettled.attempts.len(), server.asked().len()), (1, 1));
            assert!(unsettled.failure.is_none() && unsettled.attempts[0].value.is_none());
        }
    }
}

#[tokio::test]
async fn half_a_batch_is_missed_and_asked_for() {
    let ids = ["ZOO-C001", "ZOO-C002", "ZOO-C003", "ZOO-C004"];
    for wire in FORMATS {
        let server = ModelServer::start();
        // A model that forgets half at first, and invents one.
        server.obey(move |asked| {
            let all = if asked.last().contains("missing") {
                &ids[..]
            } else {
                &["ZOO-C001", "ZOO-C002", "ZOO-C999"]
            };
            Said::json(&json!({"animals": all, "noise": "quiet", "note": null}))
        });
        let (run, _folder) = run(&server, wire);
        let check = |found: &Found| {
            let missing = ids.iter().filter(|id| !found.animals.iter().any(|animal| animal == *id));
            let invented = found.animals.iter().filter(|animal| !ids.contains(&animal.as_str()));
            missing
                .map(|id| format!("`{id}` is missing"))
                .chain(invented.map(|id| format!("`{id}` was not asked for")))
                .collect()
        };
        let answer = run.settle(&question("the page"), &repair(1, &check)).await.unwrap();
        assert_eq!((answer.value.animals.as_slice(), answer.asked()), (&ids.map(str::to_owned)[..], 2));
        let last = server.asked()[1].last().to_owned();
        assert!(last.contains("`ZOO-C004` is missing; `ZOO-C999` was not asked for"), "{last}");
        // Without another chance, what was answered is there to be used, and the faults say what is not.
        let unsettled = run.settle(&question("another page"), &repair(0, &check)).await.unwrap_err();
        let Fault::Checked { faults } = &unsettled.attempts[0].fault else { panic!("{unsettled}") };
        assert_eq!(faults.len(), 3);
        assert_eq!(unsettled.attempts[0].value.as_ref().unwrap().animals[0], "ZOO-C001");
    }
}

#[tokio::test]
async fn trouble_in_the_middle_keeps_the_attempts_before_it() {
    let server = ModelServer::start();
    server.script([
        Said::answer(r#"{"animals":["seal"],"noise":"loud"}"#),
        Said::Error(401, "authentication_error".into(), "revoked".into()),
    ]);
    let (run, folder) = run(&server, FORMATS[1]);
    let unsettled = run.settle(&question("the page"), &repair(2, &only_lions)).await.unwrap_err();
    assert_eq!(unsettled.attempts.len(), 1);
    assert!(matches!(unsettled.failure, Some(Failure::KeyRefused { .. })));
    // The first attempt is recorded: another run asks only for the second.
    server.script([Said::answer(LIONS)]);
    let again = run_with(settings(&server, FORMATS[1]), Engine::Endpoint, folder.path());
    again.settle(&question("the page"), &repair(2, &only_lions)).await.unwrap();
    assert_eq!((server.asked().len(), again.tally().recorded), (3, 1));
}
