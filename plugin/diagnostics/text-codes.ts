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
      "A model sees the name of a tool beside its text. So a text with the same words adds nothing, and a text that " +
      "only names a thing does not say what the tool does with it. Begin with a verb, and say when to use the tool. " +
      "Texts in other scripts than Latin are not checked. A tool without any text is reported as TN202.",
  },
  TN602: {
    level: "warning",
    title: "Text is too long",
    rule: "text-too-long",
    explain:
      "The texts of all tools are sent with every call of a model. Hosts cut long texts, and search by the first " +
      "sentence. Keep the text of a tool within 1,024 bytes, and its first sentence within 200 characters.",
  },
  TN603: {
    level: "warning",
    title: "Tools are hard to tell apart",
    rule: "tools-too-near",
    explain:
      "Three things are compared: the words of the names (verbs such as `get` and `fetch` count as the same), the " +
      "types of the requests, and the texts. If two tools agree in two of the three, a model chooses between them by " +
      "chance. Say in each text when to use the tool, or make one tool of both. Texts that differ in a word that " +
      "matters, such as `Enables …` and `Disables …`, do not agree.",
  },
  TN604: {
    level: "warning",
    title: "Text contradicts the type",
    rule: "text-contradicts-type",
    explain:
      "The text of the field contradicts its type. It says that the field is optional and the type requires it, or " +
      "the reverse. Or it mentions a list where the type has one value, a number outside of `@minimum` and " +
      "`@maximum`, a value that the type does not allow, or another default. A model believes the text, and its call " +
      "is refused. Correct the text or the type.",
  },
  TN605: {
    level: "warning",
    title: "Parameter is unclear",
    rule: "parameter-unclear",
    explain:
      "The names `id`, `data`, `options`, `value`, `input` and `name` fit any value. So a parameter with such a name " +
      "needs a text that says more than the name. Two parameters of the same type whose names are not words, such as " +
      "`a` and `b`, need texts as well. Instead of texts, you can give the tool an `@example`.",
  },
  TN606: {
    level: "hint",
    title: "Hint is missing",
    rule: "hint-missing",
    explain:
      "Hosts ask the user before they call a tool, unless it has `@readonly`, and warn of a tool with " +
      "`@destructive`. The name of this tool says that it reads or deletes, but its comment has neither tag. Add " +
      "`@readonly` if the tool changes nothing, `@destructive` if data is lost, or `@destructive false` if nothing " +
      "is lost.",
  },
  TN607: {
    level: "warning",
    title: "Result has no bound",
    rule: "result-unbounded",
    explain:
      "A list that a tool finds can be longer than a model can read. Add a cursor, an offset, a page or a limit to " +
      "the request, or limit the list with `@maxItems`.",
  },
  TN608: {
    level: "warning",
    title: "Example is missing",
    rule: "example-missing",
    explain:
      "Models fill in a request with more than five fields, or with a union of objects, more reliably if an " +
      "`@example` shows one. Add one to the comment of the tool. `tenon check --examples` calls the tool with it.",
  },
  TN609: {
    level: "error",
    title: "Tools are over their budget",
    explain:
      "The option `budget: { tool, service }` limits the number of tokens that each tool, and all tools together, " +
      "may take in a model's tool list. Shorten the texts, use simpler types, or raise the budget. `tenon inspect` " +
      "prints the same numbers, which are estimates.",
  },
};
