use crate::{FORMATS, LIONS, known_prices, question, run_with, settings};
use polc_llm::{Engine, Failure, Pace, Run, Settings, Store, estimate};
use polc_records::prices::Prices;
use polc_testkit::{ModelServer, Reply, Said};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use tokio::time::Instant;

fn obedient() -> ModelServer {
    let server = ModelServer::start();
    server.obey(|_| Said::answer(LIONS));
    server
}

async fn ask(run: &Run, number: usize) -> Vec<Result<(), Failure>> {
    let pages: Vec<String> = (0..number).map(|number| format!("page {number}")).collect();
    run.each(&pages, |page| async move { run.ask(&question(page)).await.map(|_| ()) }).await
}

// The clock of these tests is not that of the wall: it jumps when everybody waits.
#[tokio::test(start_paused = true)]
async fn no_minute_has_more_requests_than_allowed() {
    let pace = Pace::new(NonZeroU32::new(3), None);
    let began = Instant::now();
    let mut starts = Vec::new();
    for _ in 0..8 {
        pace.turn(1_000_000).await;
        starts.push(began.elapsed().as_secs());
        tokio::time::advance(Duration::from_secs(5)).await;
    }
    assert!(starts.windows(4).all(|four| four[3] - four[0] >= 60), "{starts:?}");
    assert_eq!(starts[2], 10, "what may start at once does");
}

#[tokio::test(start_paused = true)]
async fn no_minute_has_more_tokens_than_allowed() {
    let pace = Pace::new(None, NonZeroU64::new(100));
    let began = Instant::now();
    for (tokens, second) in [(40, 0), (60, 0), (1, 60), (99, 60), (5000, 120), (1, 180)] {
        pace.turn(tokens).await;
        assert_eq!(began.elapsed().as_secs(), second, "{tokens}: one that never fits goes alone");
    }
}

#[tokio::test]
async fn as_many_requests_are_open_as_the_settings_allow() {
    for (most, wire) in [(1, FORMATS[0]), (4, FORMATS[1])] {
        let server = ModelServer::start();
        server.obey(move |_| Said::Together(most, Box::new(Said::answer(LIONS))));
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { concurrency: most, ..settings(&server, wire) };
        let run = run_with(settings, Engine::Endpoint, folder.path());
        assert!(ask(&run, 9).await.iter().all(Result::is_ok));
        assert_eq!(server.most_open(), most);
    }
}

#[tokio::test]
async fn the_same_request_is_not_sent_twice_at_a_time() {
    let server = obedient();
    let folder = tempfile::tempdir().unwrap();
    let run = run_with(settings(&server, FORMATS[0]), Engine::Endpoint, folder.path());
    let pages = ["same"; 6];
    let answers = run.each(&pages, |page| async { run.ask(&question(page)).await.map(|_| ()) }).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!((server.asked().len(), run.tally().recorded), (1, 5));
}

#[tokio::test]
async fn a_limit_ends_the_run_with_everything_answered_kept() {
    for concurrency in [1, 4] {
        let server = obedient();
        let folder = tempfile::tempdir().unwrap();
        // A request may cost a little more than a cent, by its limit of 1,000 tokens, and costs far less.
        let limited =
            Settings { max_cost: "0.0135".parse().ok(), concurrency, ..settings(&server, FORMATS[1]) };
        let run = run_with(limited.clone(), Engine::Endpoint, folder.path());
        let answers = ask(&run, 30).await;
        let good = answers.iter().filter(|answer| answer.is_ok()).count();
        assert!((2..29).contains(&good), "{good}");
        assert!(answers[..good].iter().all(Result::is_ok), "the first ones, in their order");
        assert!(answers[good..].iter().all(|answer| matches!(answer, Err(Failure::Budget { .. }))));
        let tally = run.tally();
        assert!(tally.cost.unwrap() <= limited.max_cost.unwrap());
        assert_eq!((server.asked().len(), tally.answered), (good, u64::try_from(good).unwrap()));
        // The limit is one of a run; the next one goes on from there.
        let next = run_with(limited, Engine::Endpoint, folder.path());
        let more = ask(&next, 30).await.iter().filter(|answer| answer.is_ok()).count();
        assert!(more > good && next.tally().recorded == u64::try_from(good).unwrap());
    }
}

#[tokio::test]
async fn nothing_is_sent_that_the_limit_does_not_allow() {
    let server = obedient();
    let folder = tempfile::tempdir().unwrap();
    // It would be enough by the estimate, and not where every byte is a token.
    let poor = Settings { max_cost: "0.0108".parse().ok(), ..settings(&server, FORMATS[0]) };
    let run = run_with(poor.clone(), Engine::Endpoint, folder.path());
    assert!(ask(&run, 3).await.iter().all(|answer| matches!(answer, Err(Failure::Budget { .. }))));
    let unknown = Run::new(poor, Engine::Endpoint, Store::new(folder.path()), &Prices::default()).unwrap();
    assert!(ask(&unknown, 3).await.iter().all(|answer| matches!(answer, Err(Failure::NoPrice { .. }))));
    assert_eq!(server.asked(), []);
}

#[tokio::test]
async fn an_answer_that_is_lost_may_have_cost_something() {
    let server = ModelServer::start();
    server.script([Said::Dropped(LIONS.into()), Said::Dropped(LIONS.into()), Said::answer(LIONS)]);
    let folder = tempfile::tempdir().unwrap();
    let run = run_with(settings(&server, FORMATS[0]), Engine::Endpoint, folder.path());
    ask(&run, 1).await.pop().unwrap().unwrap();
    let tally = run.tally();
    let most = known_prices()
        .of("zoo-1")
        .unwrap()
        .cost(estimate::most_input_tokens(&run.request(&question("page 0"))), 1000);
    assert_eq!((tally.lost, tally.possible), (2, Some(most + most)));
}

#[tokio::test]
async fn what_may_be_charged_for_lost_answers_stays_within_the_limit() {
    for lost in [Said::Dropped(LIONS.into()), Said::Status(504), Said::Raw(Reply::raw(""))] {
        let server = ModelServer::start();
        server.obey(move |_| lost.clone());
        let folder = tempfile::tempdir().unwrap();
        let wire = FORMATS[0];
        let probe = run_with(settings(&server, wire), Engine::Endpoint, folder.path());
        let input = estimate::most_input_tokens(&probe.request(&question("page 0")));
        let most = known_prices().of("zoo-1").unwrap().cost(input, 1000);
        // Enough for two attempts, where the settings allow three.
        let limited = Settings { max_cost: Some(most + most), ..settings(&server, wire) };
        let run = run_with(limited, Engine::Endpoint, folder.path());
        let answers = ask(&run, 3).await;
        assert!(answers.iter().all(Result::is_err), "{answers:?}");
        assert_eq!((server.asked().len(), run.tally().possible), (2, Some(most + most)));
    }
}

#[tokio::test]
async fn a_request_that_is_sent_again_counts_for_the_minute() {
    let server = ModelServer::start();
    server.script([Said::Status(500), Said::answer(LIONS)]);
    let folder = tempfile::tempdir().unwrap();
    let paced = Settings { requests_per_minute: NonZeroU32::new(3), ..settings(&server, FORMATS[0]) };
    let run = run_with(paced, Engine::Endpoint, folder.path());
    ask(&run, 1).await.pop().unwrap().unwrap();
    server.obey(|_| Said::answer(LIONS));
    let stopper = run.stopper();
    let pages = ["another page", "one page too many"];
    let answers = run.each(&pages, |page| async {
        let answer = run.ask(&question(page)).await;
        // The minute is full: the other one waits until it is told to stop.
        stopper.stop();
        answer.map(|_| ())
    });
    let answers = answers.await;
    assert!(answers[0].is_ok() && matches!(answers[1], Err(Failure::Interrupted)), "{answers:?}");
    assert_eq!((server.asked().len(), run.tally().lost), (3, 0));
}

#[tokio::test]
async fn a_price_that_is_not_known_is_not_zero() {
    let server = obedient();
    let folder = tempfile::tempdir().unwrap();
    let run = Run::new(
        settings(&server, FORMATS[0]),
        Engine::Endpoint,
        Store::new(folder.path()),
        &Prices::default(),
    )
    .unwrap();
    let plan = run.plan(&[run.request(&question("the page"))]).unwrap();
    assert_eq!(plan.cost, None);
    assert!(plan.to_string().contains("price      not known"), "{plan}");
    ask(&run, 1).await.pop().unwrap().unwrap();
    assert_eq!(run.tally().cost, None);
    assert!(run.tally().to_string().contains("the price is not known"), "{}", run.tally());
}

#[tokio::test]
async fn a_plan_says_what_it_would_take_and_sends_nothing() {
    let server = obedient();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        requests_per_minute: NonZeroU32::new(1),
        context_tokens: Some(2000),
        ..settings(&server, FORMATS[0])
    };
    let run = run_with(settings, Engine::Endpoint, folder.path());
    ask(&run, 1).await.pop().unwrap().unwrap();
    let long = "long ".repeat(2000);
    let pages = ["page 0", "page 1", "page 2", "page 1", long.as_str()];
    let requests: Vec<_> = pages.iter().map(|page| run.request(&question(page))).collect();
    let plan = run.plan(&requests).unwrap();
    assert_eq!((plan.requests, plan.recorded, plan.too_long, plan.seconds), (2, 1, 1, 120));
    assert_eq!(plan.input_tokens, 2 * estimate::input_tokens(&requests[1]));
    insta::assert_snapshot!(plan);
    let found = run.ask(&question(&long)).await.err().unwrap();
    assert!(matches!(found, Failure::TooLong { .. }), "{found}");
    assert_eq!(server.asked().len(), 1, "what cannot fit is not sent");
    assert!(run.tally().to_string().starts_with("1 answered, 0 recorded before; "), "{}", run.tally());
}

#[test]
fn the_prices_that_are_built_in_are_those_of_a_root_without_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let root = polc_records::layout::Root::new(folder.path());
    let built_in = polc_llm::prices(&root).unwrap();
    let dated = built_in.of("gpt-4o-2024-08-06").unwrap();
    assert_eq!((dated.name.as_str(), dated.input.to_string()), ("gpt-4o", "2.50".to_owned()));
    assert_eq!(built_in.of("gpt-4o-mini").unwrap().name, "gpt-4o-mini", "and not a date of gpt-4o");
    assert!(built_in.of("gpt-4o-audio").is_none() && built_in.of("zoo-1").is_none());
    let own =
        "schema = 1\n[[model]]\nname = \"zoo-1\"\ninput = \"0\"\noutput = \"0\"\nas_of = \"2025-01-02\"\n";
    polc_records::store::write_atomically(&folder.path().join("stages/prices.toml"), own.as_bytes()).unwrap();
    let own = polc_llm::prices(&root).unwrap();
    assert!(own.of("zoo-1").is_some() && own.of("gpt-4o").is_none());
}
