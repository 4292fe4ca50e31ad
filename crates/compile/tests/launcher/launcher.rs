//! The launcher of `polc`, by itself.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(2).collect();
    let mut out = std::io::stdout();
    let done = match polc_compile::sandbox::launch(&words) {
        Ok(confinement) => serde_json::to_writer(&out, &confinement).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match done.and_then(|()| out.flush().map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _written = writeln!(std::io::stderr(), "{error}");
            ExitCode::from(2)
        }
    }
}
