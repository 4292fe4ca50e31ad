use crate::{FORMATS, LIONS, question, run_with, settings};
use polc_llm::{Engine, Failure, Run};
use polc_testkit::{ModelServer, Said};
use std::process::Command;
use std::sync::mpsc;

async fn ask_ten(run: &Run) -> Vec<Result<(), Failure>> {
    let pages: Vec<String> = (0..10).map(|number| format!("page {number}")).collect();
    run.each(&pages, |page| async move { run.ask(&question(page)).await.map(|_| ()) }).await
}

/// A server that answers three times and is silent then, and says when it is.
fn tiring() -> (ModelServer, mpsc::Receiver<()>) {
    let (server, (sender, receiver)) = (ModelServer::start(), mpsc::channel());
    server.script([Said::answer(LIONS), Said::answer(LIONS), Said::answer(LIONS)]);
    server.obey(move |_| {
        let _sent = sender.send(());
        Said::Silence
    });
    (server, receiver)
}

#[tokio::test]
async fn what_was_answered_before_a_stop_is_kept() {
    for wire in FORMATS {
        let (server, silent) = tiring();
        let folder = tempfile::tempdir().unwrap();
        let settings = polc_llm::Settings { concurrency: 1, ..settings(&server, wire) };
        let run = run_with(settings.clone(), Engine::Endpoint, folder.path());
        let stopper = run.stopper();
        let stopping = std::thread::spawn(move || {
            silent.recv().unwrap();
            stopper.stop();
        });
        let answers = ask_ten(&run).await;
        stopping.join().unwrap();
        assert!(answers[..3].iter().all(Result::is_ok));
        assert!(answers[3..].iter().all(|answer| matches!(answer, Err(Failure::Interrupted))));
        assert_eq!((server.asked().len(), run.tally().answered, run.tally().lost), (4, 3, 1));
        server.obey(|_| Said::answer(LIONS));
        let again = run_with(settings, Engine::Endpoint, folder.path());
        assert!(ask_ten(&again).await.iter().all(Result::is_ok));
        assert_eq!(server.asked().len(), 4 + 7);
    }
}

#[tokio::test]
async fn an_interrupt_by_a_person_stops_the_run() {
    let (server, silent) = tiring();
    let folder = tempfile::tempdir().unwrap();
    let settings = polc_llm::Settings { concurrency: 1, ..settings(&server, FORMATS[0]) };
    let run = run_with(settings, Engine::Endpoint, folder.path());
    let stopper = run.stopper();
    let listening = tokio::spawn(async move { stopper.stop_on_interrupt().await });
    // The listener is there once it has been polled.
    tokio::task::yield_now().await;
    let interrupting = std::thread::spawn(move || {
        silent.recv().unwrap();
        let me = std::process::id().to_string();
        assert!(Command::new("kill").args(["-INT", &me]).status().unwrap().success());
    });
    let answers = ask_ten(&run).await;
    interrupting.join().unwrap();
    listening.await.unwrap().unwrap();
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    assert!(matches!(run.ended(), Some(Failure::Interrupted)));
}
