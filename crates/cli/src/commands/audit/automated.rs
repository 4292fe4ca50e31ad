//! `audit automated`: what a model says by the same criteria, kept apart.

use super::folder;
use super::sheets::guidelines;
use crate::arguments::AutomatedArguments;
use crate::asking::{Answering, Asking, AskingStage, Ended};
use crate::exit::{CliError, Exit};
use crate::session::{Session, count};
use crate::stages::audit::{Checked, Kept, load as load_sample, open_all, population, shown};
use polc_audit::review::ReviewAnswer;
use polc_audit::sheet::ShownCheck;
use polc_extraction::asking::{Asker, Settled};
use polc_extraction::prompts::{Block, ReviewValues};
use polc_llm::{Failure, Form, Question};
use polc_records::audit::{AuditFolder, AutomatedFile, AutomatedHeader, AutomatedReview, Rating};
use polc_records::ids::{RuleId, Slug};
use polc_records::layout::Root;
use polc_records::store::{JsonLines, load_lines, save_lines};
use polc_records::{Digest, Problem};
use std::collections::BTreeMap;

/// Where the criteria end and the mechanics of the sheet begin.
const MECHANICS: &str = "\n## Working with the sheet";

pub(super) fn run(session: &Session, given: &AutomatedArguments) -> Result<Exit, CliError> {
    session.has_no_json("a file of reviews")?;
    let root = session.root()?;
    let folder = folder(&root, &given.name);
    let kept = load_sample(&folder)?;
    let all = open_all(session, &root)?;
    if population(&root, &all)?.digest() != kept.header.population {
        return Err(CliError::Gate {
            what: format!("`{}` was drawn from other checkers than this root has", given.name),
            help: "draw an audit of these under another name".to_owned(),
        });
    }
    let text = guidelines(&root)?.text;
    let criteria = text.split(MECHANICS).next().unwrap_or_default().trim().to_owned();
    let wanted = |checked: &&Checked| given.project.as_ref().is_none_or(|slug| *slug == checked.project.slug);
    let mut exit = Exit::Done;
    for checked in all.iter().filter(wanted) {
        let slug = &checked.project.slug;
        let Answering::Model(asking) = given.ask.answering(session, &root, slug, AskingStage::Review)? else {
            return Err(CliError::Misuse {
                what: "the baseline reviews no code".to_owned(),
                help: "name an endpoint in polc.toml, or say --engine batch-out FILE".to_owned(),
            });
        };
        let pass = Pass { session, root: &root, slug, folder: &folder, kept: &kept, asking: &asking };
        if pass.review(&criteria, &shown(&root, checked)?, given.ask.dry_run)? != Exit::Done {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

/// The pass over the checkers of one project.
struct Pass<'p> {
    session: &'p Session,
    root: &'p Root,
    slug: &'p Slug,
    folder: &'p AuditFolder,
    kept: &'p Kept,
    asking: &'p Asking,
}

/// What became of the questions.
#[derive(Default)]
struct Heard {
    reviews: Vec<AutomatedReview>,
    requests: Vec<Digest>,
    failures: Vec<Failure>,
    open: Vec<String>,
}

impl Pass<'_> {
    fn review(&self, criteria: &str, shown: &[ShownCheck], dry_run: bool) -> Result<Exit, CliError> {
        let form = Form::<ReviewAnswer>::of("review").map_err(|error| {
            Problem::new(&self.folder.automated(), error.to_string(), "report this as a bug")
        })?;
        let asker = self.asking.asker(&|_| {});
        let mut questions = Vec::new();
        for check in shown {
            questions.push((check.check.clone(), question(&asker, criteria, check, &form)?));
        }
        if dry_run {
            let requests: Vec<_> =
                questions.iter().map(|(_, question)| asker.run.request(question)).collect();
            return self.asking.plan(self.session, &requests);
        }
        self.asking.announce(self.session, questions.len());
        let heard =
            self.asking.wait(self.session, questions.len(), async |asker| ask(asker, &questions).await)?;
        if let Ended::Waiting = self.asking.ended(self.session, &heard.failures)? {
            return Ok(Exit::Done);
        }
        self.asking.keep(self.root, self.slug, &heard.requests)?;
        self.save(&heard)?;
        for open in &heard.open {
            self.session.tell(open);
        }
        Ok(if heard.open.is_empty() { Exit::Done } else { Exit::Failed })
    }

    /// Puts the reviews of a project in the place of those before; what another model or prompt made goes.
    fn save(&self, heard: &Heard) -> Result<(), CliError> {
        let path = self.folder.automated();
        let header = AutomatedHeader {
            schema: AutomatedFile::SCHEMA,
            population: self.kept.header.population,
            model: self.asking.model().to_owned(),
            prompts: self.asking.prompts().for_review(),
        };
        let mut all = match path.exists() {
            true => match load_lines::<AutomatedFile>(&path)? {
                (before, reviews) if before == header => reviews,
                _ => Vec::new(),
            },
            false => Vec::new(),
        };
        all.retain(|review| review.check.prefix() != self.slug.prefix());
        all.extend(heard.reviews.iter().cloned());
        all.sort_by(|one, other| one.check.cmp(&other.check));
        save_lines::<AutomatedFile>(&path, &header, &all)?;
        self.session.tell(format!(
            "{} reviewed, in {}: kept apart, for comparison only",
            count(heard.reviews.len(), "checker"),
            self.root.shown(&path).display()
        ));
        Ok(())
    }
}

fn question(
    asker: &Asker<'_>,
    criteria: &str,
    check: &ShownCheck,
    form: &Form<ReviewAnswer>,
) -> Result<Question<ReviewAnswer>, Problem> {
    let rule = format!(
        "id: {}\nrule: {}\nsentence: {}\ncontext: {}\nsource: {}\n",
        check.check, check.rule, check.sentence, check.context, check.link
    );
    let values = ReviewValues {
        criteria: criteria.to_owned(),
        rule: Block::new("the rule", rule),
        code: Block::new("the code", &check.code),
        cases: Block::new("the cases", &check.cases),
    };
    asker.question(format!("review {}", check.check), asker.prompts.review(&values)?, form)
}

async fn ask(asker: &Asker<'_>, questions: &[(RuleId, Question<ReviewAnswer>)]) -> Heard {
    let settled = asker
        .run
        .each(questions, |(check, question)| async move {
            let faults = |answer: &ReviewAnswer| answer.rating().err().unwrap_or_default();
            (check, Settled::of(&question.label, asker.settle(question, &faults).await))
        })
        .await;
    let mut heard = Heard::default();
    for (check, settled) in settled {
        heard.requests.extend(settled.requests);
        heard.failures.extend(settled.failure);
        let rating = settled.value.as_ref().and_then(|answer| answer.rating().ok());
        match (settled.value, rating, settled.request) {
            (Some(answer), Some(rating), Some(request)) => heard.reviews.push(AutomatedReview {
                check: check.clone(),
                rating,
                reasoning: answer.reasoning,
                request,
            }),
            _ => heard.open.push(format!("{check} has no review: {}", settled.faults.join("; "))),
        }
    }
    heard
}

/// What a model said of the population that a sample was drawn from.
pub(super) fn load(folder: &AuditFolder, kept: &Kept) -> Result<Option<BTreeMap<RuleId, Rating>>, CliError> {
    let path = folder.automated();
    if !path.exists() {
        return Ok(None);
    }
    let (header, reviews) = load_lines::<AutomatedFile>(&path)?;
    if header.population != kept.header.population {
        let help = "run `polc audit automated` again";
        return Err(Problem::new(
            &path,
            "it reviews another population than the sample was drawn from",
            help,
        )
        .into());
    }
    Ok(Some(reviews.into_iter().map(|review| (review.check, review.rating)).collect()))
}
