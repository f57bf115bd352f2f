import { stem, textWords } from "./words.ts";

/** Verbs by which texts of tools begin. */
const bases =
  "abort accept accomplish access acquire activate adapt add adjust advance alert align allow alter analyze announce annotate answer append " +
  "apply approve archive arrange ask assemble assert assess assign assist associate attach audit authenticate authorize " +
  "automate await back backfill backup balance base batch begin bind block book boost bootstrap branch break bring " +
  "broadcast browse build bulk bundle buy cache calculate call cancel capture cast categorize center chain change chart " +
  "chat check checkout choose clarify classify clean clear click clone close cluster collapse collect color combine " +
  "commit compact compare compile complete compose compress compute concatenate conclude conduct configure confirm connect " +
  "construct consult consume contain continue control convert copy correct count crawl create crop cut deactivate debug " +
  "decide decline decode decompose decrease decrypt deduplicate define delegate delete deliver demonstrate deploy " +
  "deprecate derive describe deselect design detach detect determine diagnose diff disable disconnect discover dismiss " +
  "dispatch display divide do download draft drag draw drive drop dump duplicate echo edit emit emulate enable encode " +
  "encrypt end enhance enqueue enrich ensure enter enumerate erase escape establish estimate evaluate examine exchange " +
  "exclude execute exit expand explain explore export expose extend extract factor fail fetch figure fill filter finalize " +
  "find finish fire fit fix flag flatten flip flush focus follow force forget fork format forward free freeze generate " +
  "get give go grab grant group guess guide handle help hide highlight hold host hover identify ignore import improve " +
  "include increase increment index indicate infer inform initialize initiate inject input insert inspect install integrate " +
  "interact interpret interrupt introduce invalidate invite invoke issue iterate join judge jump keep kill label launch " +
  "lay leave let limit link lint list listen load locate lock log login look lookup lower make manage manipulate map mark " +
  "match measure merge migrate minify mint mock model modify monitor mount move multiply mute name navigate negate " +
  "normalize notify obtain offer omit open operate optimize orchestrate order organize output override pack package paint parse " +
  "partition pass paste patch pause pay perform permit persist pick pin ping place plan play plot poll populate post " +
  "predict prepare prepend present press preview print process produce profile promote prompt propose protect prove " +
  "provide provision publish pull purchase purge push put query queue quit quote raise rank rate react read reboot rebuild " +
  "recalculate receive recognize recommend reconcile record recover redirect redo reduce refactor refer refine reflect refresh " +
  "register reject relate release reload remember remind remove rename render reopen reorder repair repeat replace reply " +
  "report represent request rerun reset resize resolve respond rest restart restore restrict resubmit resume retrieve " +
  "retry return reveal reverse revert review revoke rewrite roll rotate round route run sample sanitize save say scaffold " +
  "scale scan schedule score scrape scroll search secure see seed select send sent separate serialize serve set share shift shorten show " +
  "shuffle shut sign simplify simulate skip sleep slice solve sort spawn speak specify split stage start state step stop " +
  "store stream strip structure subject submit subscribe subtract suggest sum summarize supply support suspend swap switch sync " +
  "synchronize synthesize tag tail take talk tap teach tell terminate test think toggle touch trace track train transcribe " +
  "transfer transform transition translate traverse trigger trim truncate try tune turn type unarchive unassign unblock " +
  "uncover undo unlink unlock unmute unpack unpin unpublish unsubscribe unwatch update upgrade upload upsert use validate verify " +
  "view visit visualize vote wait walk warn watch weigh work wrap write yield zip zoom";

const stems: ReadonlySet<string> = new Set(bases.split(" ").map(stem));

/** Auxiliary verbs, which count at any position in a sentence. */
const auxiliaries: ReadonlySet<string> = new Set(
  (
    "is are was were be been being has have had can could will would shall should may might must does do did " +
    "allows allow lets let returns return returned made found sent given shown done"
  ).split(" "),
);

/** Words that are nouns as often as verbs: inside of a sentence, `names` and `tests` are probably nouns. */
const nouns: ReadonlySet<string> = new Set(
  (
    "answer archive ask back backup base batch block book branch break build cache call cast chain change chart chat check click " +
    "clone cluster color commit count crop cut debug design diff display draft drive drop dump end exit export fit flag focus " +
    "fork format group guide help host hold import index input issue join jump label launch link list load lock log login look lookup map " +
    "mark match measure merge mock model mount move name offer order output pack package paint pass patch pause plan play " +
    "plot poll post preview process profile prompt query queue quote rank rate record refresh release reply report request " +
    "reset rest result review roll route run sample save scale scan schedule score scroll search seed set share shift sign sort " +
    "split stage start state step stop store stream strip structure sum supply support swap switch sync tag tail tap test touch trace track " +
    "train transfer trigger try turn type update upgrade upload use view visit vote wait walk watch work wrap zip zoom"
  )
    .split(" ")
    .map(stem),
);

/** Matches words after which a base form is a verb. */
const before =
  /^(?:to|you|can|may|will|must|and|or|then|that|which|who|not|please|also|we|i|they|let|lets|soft|hard|auto|deep|[a-z]+ly)$/;
/** Matches a second word that shows that the first word of a clause is a verb, even an unknown one: `frobs the`. */
const after = /^(?:a|an|the|all|any|your|this|these|those|each|every|one|if|whether|that|it|whose)$/;
const verbEnding = /(?:i[sz]e|ify|yse|yze)[sd]?$|(?:[aeiouy].*)(?:ing|[^e]ed)$/;
const likeVerbs =
  /^(?:string|nothing|something|anything|everything|settings?|thing|during|embed|speed|need|feed|seed)$/;

/** True for an English sentence that may contain a verb. An unknown word in the position of a verb counts as one. */
export function mayHaveVerb(sentence: string): boolean {
  const clauses = sentence.split(/[:;,()[\]|—–]|\s-+\s/).map(textWords);
  return clauses.some((words) => words.some((word, index) => isVerb(word, words[index - 1], words[index + 1])));
}

function isVerb(word: string, previous: string | undefined, next: string | undefined): boolean {
  const isFirst = previous === undefined || before.test(previous);
  if (auxiliaries.has(word)) return true;
  if (verbEnding.test(word) && word.length > 5 && !likeVerbs.test(word)) return true;
  if (previous === undefined && next !== undefined && after.test(next)) return true;
  const root = rootOf(word);
  if (root === undefined) return false;
  // Inside of a sentence, `creates` counts as a verb; `create` only after `to` and similar words.
  return isFirst || (word.endsWith("s") && !nouns.has(root));
}

/** Returns the root of a verb, without a prefix that negates or repeats it; undefined for a word that is not a verb. */
function rootOf(word: string): string | undefined {
  const root = stem(word);
  if (stems.has(root)) return root;
  const rest = root.replace(/^(?:un|re|de|dis|pre|over)/, "");
  return rest.length > 2 && stems.has(rest) ? rest : undefined;
}
