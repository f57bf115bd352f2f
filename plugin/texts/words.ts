/** Splits a name into words in lower case: `getHTTPUrl_v2` is `get http url v 2`. */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\d)/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Matches a word that is not composed of several words. */
const plainWord = /^[A-Za-z]?[a-z]+$/;

/** The words of a text in lower case; names such as `userId` are split into words. */
export function textWords(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}_]+(?:['’]\p{L}+)*/gu) ?? [];
  return words.flatMap((word) => (plainWord.test(word) ? word.toLowerCase() : nameWords(word)));
}

/** True for a text in Latin letters whose words are separated by spaces: the rules support only English. */
export function isJudged(text: string): boolean {
  return !/[^\p{Script=Latin}\P{L}]/u.test(text);
}

/** Returns the approximate root of a word, for comparison: `creates`, `creating` and `create` have the same root. */
export function stem(word: string): string {
  const single = word
    .replace(/['’]s?$/, "")
    .replace(/ies$/, "y")
    .replace(/(ss|x|z|ch|sh)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  if (single.length < 5) return single.length > 3 ? single.replace(/e$/, "") : single;
  return single
    .replace(/([aeiouy].*)(?:ing|ed)$/, "$1")
    .replace(/([bdgmnprt])\1$/, "$1")
    .replace(/e$/, "");
}

/** Verbs with the same meaning for a tool, each group by the stem of its first verb. */
const groups: readonly (readonly string[])[] = [
  ["get", "fetch", "retrieve", "read", "load", "obtain", "return"],
  ["search", "find", "query", "lookup"],
  ["list", "enumerate"],
  ["create", "add", "insert", "make"],
  ["delete", "remove", "drop", "erase", "destroy"],
  ["update", "edit", "modify", "change", "patch"],
  ["run", "execute", "invoke"],
  ["show", "display", "print", "view"],
];

const synonyms: ReadonlyMap<string, string> = new Map(
  groups.flatMap((group) => group.map((word) => [stem(word), group[0] ?? word] as const)),
);

/** Words that do not distinguish tools. */
const empty: ReadonlySet<string> = new Set(
  (
    "a an the this that these those of for to from in on at by with and or is are be it its as into if given " +
    "specified provided tool function method please use uses used using via you your can will"
  ).split(" "),
);

/** Returns the root of a word; verbs with the same meaning have the same root. */
export function meaning(word: string): string {
  const root = stem(word);
  return synonyms.get(root) ?? root;
}

/**
 * Returns the words of a tool's name, with verbs of the same meaning unified. Singular and plural differ: `getUser` and
 * `getUsers` are two tools.
 */
export function nameMeaning(name: string): string {
  const words = nameWords(name).filter((word) => !empty.has(word));
  return words.map((word) => synonyms.get(stem(word)) ?? word).join(" ");
}

/** Returns the roots of the words that carry meaning. */
export function contentOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !empty.has(word)).map(meaning);
}
