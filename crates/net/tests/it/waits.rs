use polc_net::{Kept, wait_after};
use polc_testkit::shared;
use std::time::{Duration, SystemTime};

fn headers(retry_after: &str, date: Option<&str>) -> Kept {
    Kept { retry_after: Some(retry_after.to_owned()), date: date.map(str::to_owned), ..Kept::default() }
}

#[test]
fn a_date_is_measured_against_the_clock_of_the_server() {
    let Some(case) = shared::case("cr5") else { return };
    // The local clock of the case, 2025-11-05T10:05:00Z.
    assert_eq!(case["input"]["local_clock"], "2025-11-05T10:05:00Z");
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_762_337_100);
    for (name, response) in case["input"]["responses"].as_object().unwrap() {
        let found =
            wait_after(&headers(response["retry_after"].as_str().unwrap(), response["date"].as_str()), now);
        match found {
            Some(wait) => assert_eq!(case["expected"]["wait_s"][name], wait.as_secs(), "{name}"),
            None => assert_eq!(case["expected"]["wait_s"][name], "own default backoff", "{name}"),
        }
    }
}

#[test]
fn without_a_date_the_local_clock_is_used() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_762_337_100);
    let wait = |retry_after| wait_after(&headers(retry_after, Some("yesterday")), now);
    assert_eq!(wait("Wed, 05 Nov 2025 10:06:00 GMT"), Some(Duration::from_secs(60)));
    assert_eq!(wait("Wednesday, 05-Nov-25 10:06:00 GMT"), Some(Duration::from_secs(60)), "an old form");
    assert_eq!(wait("Wed Nov  5 10:06:00 2025"), Some(Duration::from_secs(60)), "an older form");
}

#[test]
fn what_is_neither_a_number_nor_a_date_is_no_wish() {
    let wait = |retry_after| wait_after(&headers(retry_after, None), SystemTime::now());
    for unreadable in ["", " ", "-1", "1.5", "+1", "1 s", "99999999999999999999999"] {
        assert_eq!(wait(unreadable), None, "{unreadable:?}");
    }
    assert_eq!(wait(" 7 "), Some(Duration::from_secs(7)));
    assert_eq!(wait_after(&Kept::default(), SystemTime::now()), None);
}
