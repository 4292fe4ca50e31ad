//! Commands as they are written into calls.

/// The words of a command, if it is a single one in which nothing has to be expanded. Quotes are taken off.
pub(crate) fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '$' | '`' => return None,
                        '\\' => match characters.next()? {
                            '\n' => {}
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '\n' | '|' | '&' | ';' | '<' | '>' | '(' | ')' | '`' | '$' => return None,
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// What a program is called with, as one command: the script alone where a shell was called for it.
pub(crate) fn command_of(arguments: &[String]) -> String {
    if let [shell, flag, script] = arguments {
        let name = shell.rsplit('/').next().unwrap_or(shell);
        if matches!(name, "bash" | "sh" | "zsh" | "dash") && matches!(flag.as_str(), "-lc" | "-c" | "-ic") {
            return script.clone();
        }
    }
    let plain = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte))
    };
    let quoted: Vec<String> = arguments
        .iter()
        .map(|word| if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) })
        .collect();
    quoted.join(" ")
}

/// The files that a patch in the words of `apply_patch` names.
pub(crate) fn patched(patch: &str) -> Vec<String> {
    const HEADS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let named =
        |line: &str| HEADS.iter().find_map(|head| line.strip_prefix(head)).map(|path| path.trim().to_owned());
    patch.lines().filter_map(named).collect()
}
