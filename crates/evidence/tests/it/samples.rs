use polc_evidence::adapter::Adapter;
use polc_evidence::sample::Sample;
use polc_testkit::shared::{files_below, shared};

#[test]
fn dump() {
    let Some(folder) = shared("runs") else { return };
    for file in files_below(&folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        let sample = Sample::of(&text);
        let Some(adapter) = Adapter::looking(&sample) else {
            println!("== {} NONE", file.display());
            continue;
        };
        match adapter.read(&text) {
            Ok(t) => {
                println!(
                    "== {} {adapter} steps {} said {} sub {:?} patch {:?} inst {:?} base {:?} model {:?} end {:?} env {:?}",
                    file.display(),
                    t.steps.len(),
                    t.said.len(),
                    t.submission.as_ref().map(String::len),
                    t.patch.as_ref().map(String::len),
                    t.instance,
                    t.base,
                    t.model,
                    t.ending,
                    t.environment.len()
                );
                if !matches!(adapter, Adapter::MiniSweAgent) {
                    for s in &t.steps {
                        let d = format!("{:?}", s.action);
                        println!(
                            "  {:?} {} | {:?} trunc {:?} exit {:?}",
                            s.turn,
                            d.chars().take(150).collect::<String>(),
                            s.output.as_ref().map(|o| o.text.chars().take(60).collect::<String>()),
                            s.output.as_ref().map(|o| o.truncated),
                            s.exit
                        );
                    }
                }
            }
            Err(e) => println!("== {} {adapter} ERR {e}", file.display()),
        }
    }
}
