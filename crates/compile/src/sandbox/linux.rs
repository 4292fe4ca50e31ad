//! Limits, Landlock and seccomp, laid on the process that calls.

use super::{Confinement, MEMORY, STACK};
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Where polc is killed, nobody waits for the answers.
pub(super) fn die_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// Takes from this process all that an executable of checkers does not need.
pub(super) fn confine(program: Option<&Path>, seconds: u64) -> io::Result<Confinement> {
    // Both are best effort: an old kernel has less, and what it has not is told by the probe.
    let files = restrict_files(program).unwrap_or(false);
    for (resource, most) in [
        (Resource::As, MEMORY),
        (Resource::Stack, STACK),
        (Resource::Cpu, seconds),
        (Resource::Nofile, 8),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
    ] {
        let most = getrlimit(resource).maximum.map_or(most, |already| already.min(most));
        // Above the limit of computing time the signal that says so has to come before the one that kills.
        let hard = if resource == Resource::Cpu { most.saturating_add(1) } else { most };
        let hard = getrlimit(resource).maximum.map_or(hard, |already| already.min(hard));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(hard) })?;
    }
    let calls = restrict_calls().is_ok();
    Ok(Confinement { files, calls })
}

/// Leaves the executable and what its loader reads, and says whether the kernel keeps the rest from this process.
fn restrict_files(program: Option<&Path>) -> Result<bool, RulesetError> {
    let abi = ABI::V6;
    let readable = AccessFs::ReadFile | AccessFs::Execute;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(loaded(program), readable))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}

/// The folders that a loader looks into.
const LIBRARIES: [&str; 6] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib32"];

/// The beginnings of the names of the libraries that a Rust program is linked against, and of loaders.
const LOADED: [&str; 9] = [
    "ld-linux",
    "ld-musl-",
    "ld.so",
    "libc.musl-",
    "libc.so",
    "libdl.so",
    "libgcc_s.so",
    "libm.so",
    "libpthread.so",
];

/// The files that have to be read for the executable to start: itself, its loader, and the libraries of the system, where
/// they usually are and where this very program found them.
fn loaded(program: Option<&Path>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = program.map(Path::to_path_buf).into_iter().collect();
    files.push("/etc/ld.so.cache".into());
    // For the C library, which asks it for the bounds of the stack: an overflow is told from other faults.
    files.push("/proc/self/maps".into());
    let architecture = format!("{}-linux-", std::env::consts::ARCH);
    for folder in LIBRARIES.map(PathBuf::from) {
        libraries(&folder, &mut files);
        let below = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in below.filter(|entry| entry.file_name().to_string_lossy().starts_with(&architecture)) {
            libraries(&entry.path(), &mut files);
        }
    }
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let own = maps.lines().filter_map(|line| line.find('/').map(|at| PathBuf::from(&line[at..])));
    files.extend(own.filter(|path| is_library(path)));
    files
}

fn libraries(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.extend(entries.map(|entry| entry.path()).filter(|path| is_library(path)));
}

fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    LOADED.iter().any(|beginning| name.starts_with(beginning)) && path.is_file()
}

/// A condition on an argument of a call.
struct When(u8, SeccompCmpOp, u64);

/// The call, and what its arguments have to be: all of it.
type Call = (libc::c_long, Vec<When>);

fn restrict_calls() -> seccompiler::Result<()> {
    let unknown = u32::try_from(libc::ENOSYS).unwrap_or(38);
    // Two filters, of which the stricter answer counts: what is needed passes, what only an attack makes ends the
    // process, and what a library may try in vain is not there.
    let needed = filter(needed(), SeccompAction::Errno(unknown), SeccompAction::Allow)?;
    let hostile = filter(hostile(), SeccompAction::Allow, SeccompAction::KillProcess)?;
    apply_filter(&hostile)?;
    apply_filter(&needed)
}

fn filter(calls: Vec<Call>, others: SeccompAction, these: SeccompAction) -> seccompiler::Result<BpfProgram> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, conditions) in calls {
        let conditions = conditions
            .into_iter()
            .map(|When(argument, is, value)| {
                SeccompCondition::new(argument, SeccompCmpArgLen::Qword, is, value)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let rules = rules.entry(call).or_default();
        if !conditions.is_empty() {
            rules.push(SeccompRule::new(conditions)?);
        }
    }
    let here: TargetArch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, others, these, here)?.try_into()?)
}

/// What an executable needs: memory, its three pipes, its own end, and what its loader does before it begins.
fn needed() -> Vec<Call> {
    let own = u64::from(std::process::id());
    let for_reading = || MaskedEq(flags(libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_DIRECTORY));
    let always = [
        libc::SYS_brk,
        libc::SYS_close,
        libc::SYS_execve,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_fstat,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_lseek,
        libc::SYS_madvise,
        libc::SYS_mmap,
        libc::SYS_mprotect,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_ppoll,
        libc::SYS_pread64,
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_rseq,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_yield,
        libc::SYS_set_robust_list,
        libc::SYS_set_tid_address,
        libc::SYS_sigaltstack,
        libc::SYS_write,
        libc::SYS_writev,
    ];
    let mut calls: Vec<Call> = always.into_iter().map(|call| (call, Vec::new())).collect();
    calls.push((libc::SYS_openat, vec![When(2, for_reading(), 0)]));
    // The size of a file that is open already, as some C libraries ask for it.
    calls.push((libc::SYS_newfstatat, vec![When(3, Eq, flags(libc::AT_EMPTY_PATH))]));
    calls.push((libc::SYS_prlimit64, vec![When(0, Eq, 0), When(2, Eq, 0)]));
    // How a process ends itself: by a signal to itself.
    calls.push((libc::SYS_tgkill, vec![When(0, Eq, own)]));
    calls.push((libc::SYS_tkill, vec![When(0, Eq, own)]));
    #[cfg(target_arch = "x86_64")]
    {
        calls.push((libc::SYS_arch_prctl, Vec::new()));
        calls.push((libc::SYS_poll, Vec::new()));
        calls.push((libc::SYS_open, vec![When(1, for_reading(), 0)]));
    }
    calls
}

fn flags(flags: libc::c_int) -> u64 {
    u64::from(flags.unsigned_abs())
}

/// What no executable of checkers does by itself, nor any library that it is linked against.
fn hostile() -> Vec<Call> {
    let own = u64::from(std::process::id());
    let never = [
        // Other processes.
        libc::SYS_clone,
        libc::SYS_clone3,
        libc::SYS_execveat,
        libc::SYS_kill,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_send_signal,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_ptrace,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_setns,
        libc::SYS_unshare,
        // Other machines, and other programs on this one.
        libc::SYS_accept4,
        libc::SYS_bind,
        libc::SYS_connect,
        libc::SYS_listen,
        libc::SYS_sendmsg,
        libc::SYS_sendto,
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_shmget,
        // The system.
        libc::SYS_add_key,
        libc::SYS_bpf,
        libc::SYS_chroot,
        libc::SYS_fanotify_init,
        libc::SYS_inotify_init1,
        libc::SYS_io_uring_setup,
        libc::SYS_keyctl,
        libc::SYS_memfd_create,
        libc::SYS_mount,
        libc::SYS_perf_event_open,
        libc::SYS_personality,
        libc::SYS_pivot_root,
        libc::SYS_reboot,
        libc::SYS_setgid,
        libc::SYS_setresgid,
        libc::SYS_setresuid,
        libc::SYS_setreuid,
        libc::SYS_setuid,
        libc::SYS_umount2,
        libc::SYS_userfaultfd,
    ];
    let mut calls: Vec<Call> = never.into_iter().map(|call| (call, Vec::new())).collect();
    calls.push((libc::SYS_tgkill, vec![When(0, Ne, own)]));
    calls.push((libc::SYS_tkill, vec![When(0, Ne, own)]));
    #[cfg(target_arch = "x86_64")]
    calls.extend([(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())]);
    calls
}
