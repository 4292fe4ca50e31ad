//! Compound commands: branches, loops, choices, tests.

use super::parse::{Parser, Read, Trouble};
use super::tree::{Node, Sequence};

impl Parser<'_> {
    pub(super) fn body(&mut self) -> Read<Sequence> {
        self.expect("do")?;
        let sequence = self.sequence()?;
        self.expect("done")?;
        Ok(sequence)
    }

    pub(super) fn branches(&mut self) -> Read<Node> {
        self.expect("if")?;
        let mut branches = Vec::new();
        let mut other = None;
        loop {
            let condition = self.sequence()?;
            self.expect("then")?;
            branches.push((condition, self.sequence()?));
            match self.plain() {
                "elif" => self.at += "elif".len(),
                "else" => {
                    self.at += "else".len();
                    other = Some(self.sequence()?);
                    break;
                }
                _ => break,
            }
        }
        self.expect("fi")?;
        Ok(Node::If { branches, other })
    }

    /// `for`, in both of its forms, and `select`.
    pub(super) fn each(&mut self) -> Read<Node> {
        self.at += self.plain().len();
        self.skip_blanks();
        let (mut once, mut sets) = (Vec::new(), None);
        if self.take("((") {
            self.sum(&mut once)?;
        } else {
            sets = Some(self.plain().to_owned());
            self.at += self.plain().len();
            self.skip_lines()?;
            if self.plain() == "in" {
                self.at += 2;
                loop {
                    self.skip_blanks();
                    if matches!(self.peek(), None | Some('\n' | ';')) {
                        break;
                    }
                    once.append(&mut self.word()?.1);
                }
            }
        }
        self.skip_blanks();
        self.take(";");
        self.skip_lines()?;
        let round = if self.plain() == "{" {
            self.at += 1;
            let round = self.sequence()?;
            self.expect("}")?;
            round
        } else {
            self.body()?
        };
        Ok(Node::Loop { sets, once, round })
    }

    pub(super) fn case(&mut self) -> Read<Node> {
        self.at += "case".len();
        self.skip_blanks();
        let (_, mut once) = self.word()?;
        self.expect("in")?;
        let mut choices = Vec::new();
        loop {
            self.skip_lines()?;
            if self.plain() == "esac" {
                self.at += "esac".len();
                return Ok(Node::Case { once, choices });
            }
            self.take("(");
            loop {
                self.skip_blanks();
                once.append(&mut self.word()?.1);
                self.skip_blanks();
                if !self.take("|") {
                    break;
                }
            }
            if !self.take(")") {
                return Err(Trouble);
            }
            choices.push(self.sequence()?);
            let _ends = self.take(";;&") || self.take(";;") || self.take(";&");
        }
    }

    /// `[[ … ]]`: only what its words run counts.
    pub(super) fn test(&mut self) -> Read<Node> {
        self.at += 2;
        let mut runs = Vec::new();
        loop {
            self.skip_lines()?;
            match self.peek().ok_or(Trouble)? {
                _ if self.plain() == "]]" => {
                    self.at += 2;
                    return Ok(Node::Words(runs));
                }
                '(' | ')' | '<' | '>' | '&' | '|' => self.at += 1,
                ';' => return Err(Trouble),
                _ => runs.append(&mut self.word()?.1),
            }
        }
    }
}
