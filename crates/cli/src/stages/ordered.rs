//! Work shared between threads whose results come in the order of the jobs, with few of them in memory.

use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

/// How many jobs for each thread are taken up before the first of them is done.
const AHEAD: usize = 3;

/// Does jobs on several threads, and takes their results in the order of the jobs.
///
/// `feed` gives the jobs to the function that it is handed, until that says that no more are wanted. Each thread works
/// with what `tools` makes for it.
///
/// # Errors
/// The first one of `take`, after which nothing is fed any more.
pub(crate) fn ordered<J: Send, R: Send, T, E>(
    threads: usize,
    feed: impl FnOnce(&mut dyn FnMut(J) -> bool) + Send,
    tools: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, J) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (jobs, waiting) = sync_channel::<(J, Sender<R>)>(threads);
    let (results, order) = sync_channel::<Receiver<R>>(threads * AHEAD);
    let waiting = Mutex::new(waiting);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            feed(&mut |job| {
                let (done, result) = channel();
                results.send(result).is_ok() && jobs.send((job, done)).is_ok()
            });
        });
        for _ in 0..threads {
            scope.spawn(|| {
                let mut tools = tools();
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((job, done)) = next else { return };
                    // Nobody waits for it after an error.
                    let _sent = done.send(work(&mut tools, job));
                }
            });
        }
        for result in order {
            // A thread that panicked sends nothing; the scope passes its panic on.
            let Ok(result) = result.recv() else { break };
            take(result)?;
        }
        Ok(())
    })
}
