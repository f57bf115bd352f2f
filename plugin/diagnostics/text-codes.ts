import type { CodeEntry } from "./code-entry.ts";

/** Codes about texts that models read. */
export type TextCode = "TN601" | "TN602" | "TN603" | "TN604" | "TN605" | "TN606" | "TN607" | "TN608" | "TN609";

/** Codes 6xx: texts by which models choose and fill in tools. */
export const textCodes: Readonly<Record<TextCode, CodeEntry>> = {
  TN601: {
    level: "warning",
    title: "Text says nothing",
    rule: "text-says-nothing",
    explain:
      "A model sees the name beside the text, so a text of the same words adds nothing, and one that names a thing does not say what the tool does with it. " +
      "Begin with a verb, and say when the tool is the right one. A tool without any text is TN202. Texts in other letters than Latin are not judged.",
  },
  TN602: {
    level: "warning",
    title: "Text is too long",
    rule: "text-too-long",
    explain:
      "Every call of a model carries the texts of all tools, hosts cut them, and search by the first sentence. A tool's text has at most 1,024 bytes, its first sentence at most 200 characters.",
  },
  TN603: {
    level: "warning",
    title: "Tools are hard to tell apart",
    rule: "tools-too-near",
    explain:
      "Two of three say the same: the words of the names (verbs such as `get` and `fetch` count as one), the type of the request, the texts. " +
      "A model then picks by chance. Texts that differ in a word that matters, such as `Enables …` and `Disables …`, are not alike.",
  },
  TN604: {
    level: "warning",
    title: "Text contradicts the type",
    rule: "text-contradicts-type",
    explain:
      "The text of a field says that it is optional and the type requires it, or the reverse; it says a list where the type takes one value, a number outside of " +
      "`@minimum` and `@maximum`, a value that the choice does not have, or another default. A model believes the text, and its call is refused.",
  },
  TN605: {
    level: "warning",
    title: "Parameter is unclear",
    rule: "parameter-unclear",
    explain:
      "`id`, `data`, `options`, `value`, `input` and `name` fit any value, so each needs a text that says more than the name. Two parameters of one type " +
      "whose names are not words, such as `a` and `b`, need texts, or the tool an `@example`.",
  },
  TN606: {
    level: "hint",
    title: "Hint is missing",
    rule: "hint-missing",
    explain:
      "Hosts ask people before they call a tool, unless it says that it only reads (`@readonly`), and warn of one that deletes (`@destructive`). " +
      "The name of the tool says so, and its comment does not. `@destructive false` says that nothing is lost.",
  },
  TN607: {
    level: "warning",
    title: "Result has no bound",
    rule: "result-unbounded",
    explain:
      "A list that a tool finds can be longer than a model can read. Take a cursor, an offset, a page or a limit in the request, or bound the list by `@maxItems`.",
  },
  TN608: {
    level: "warning",
    title: "Example is missing",
    rule: "example-missing",
    explain:
      "A request of more than five fields, or with a union of objects, is filled right more often where an `@example` shows one. `tenon check --examples` runs it.",
  },
  TN609: {
    level: "error",
    title: "Tools are over their budget",
    explain:
      "`budget: { tool, service }` in the options is the number of tokens that each tool, and all together, may take in a model's tool list. `tenon inspect` prints the same counts, which are estimates.",
  },
};
