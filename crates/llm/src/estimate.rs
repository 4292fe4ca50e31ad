//! How many tokens a request probably has.

use polc_records::recording::ModelRequest;

/// How many ASCII characters are taken for a token.
const CHARACTERS_PER_TOKEN: u64 = 3;
/// What the marks around a message are taken for.
const TOKENS_PER_MESSAGE: u64 = 8;
/// How many tokens a provider may add at most, to explain to the model how it is to answer.
const OF_THE_PROVIDER: u64 = 1_000;

/// How the estimate is made, for people.
pub const HOW: &str = "estimated: 3 ASCII characters or 1 other character are a token, which is more than English \
                       prose usually takes; every message adds 8";

/// The tokens that a model reads of a request, with its schema. An estimate, on the high side for English: every
/// model divides words in its own way, and only the endpoint knows.
pub fn input_tokens(request: &ModelRequest) -> u64 {
    let turns = request.turns.iter().map(|turn| text_tokens(&turn.text.0) + TOKENS_PER_MESSAGE);
    let told = text_tokens(&request.system.0) + TOKENS_PER_MESSAGE;
    told + text_tokens(&request.form.schema.to_string()) + turns.sum::<u64>()
}

/// The most tokens that a model can read of a request: no token is shorter than a byte.
///
/// Money is set aside by this, not by the estimate, so that a limit holds for a text in which every character is a
/// token of its own.
pub fn most_input_tokens(request: &ModelRequest) -> u64 {
    let schema = request.form.schema.to_string();
    let turns = request.turns.iter().map(|turn| turn.text.0.as_str());
    let texts = turns.chain([request.system.0.as_str(), schema.as_str()]);
    texts.map(|text| text.len() as u64 + TOKENS_PER_MESSAGE).sum::<u64>() + OF_THE_PROVIDER
}

/// The tokens of a text, estimated in the same way.
pub fn text_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().count() - ascii;
    (ascii as u64).div_ceil(CHARACTERS_PER_TOKEN) + others as u64
}
