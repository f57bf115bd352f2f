import type { ToolModel } from "../model/tool.ts";
import { firstSentence } from "./sentences.ts";
import type { TextFinding } from "./text-finding.ts";
import { mayHaveVerb } from "./verbs.ts";
import { contentOf, isJudged, nameWords, textWords } from "./words.ts";

/** Number of words from which on a text counts as a sentence, whatever its verb. */
const wordsOfSentence = 9;

/** TN601: a text that only repeats the words of its tool's name, or a first sentence without a verb. */
export function saysNothing({ name, description, position }: ToolModel): readonly TextFinding[] {
  // A missing text is reported by another rule, TN202.
  if (description.trim() === "" || !isJudged(description)) return [];
  const named = new Set(contentOf(nameWords(name)));
  const said = contentOf(textWords(description));
  if (said.every((word) => named.has(word))) {
    return [
      {
        code: "TN601",
        at: position,
        message: `The text of tool \`${name}\` has only the words of its name.`,
        fix: "say what it does, with what, and when to call it",
      },
    ];
  }
  const sentence = firstSentence(description);
  if (textWords(sentence).length >= wordsOfSentence || mayHaveVerb(sentence)) return [];
  return [
    {
      code: "TN601",
      at: position,
      message: `The first sentence of tool \`${name}\` has no verb: it names a thing, not what the tool does.`,
      fix: "begin with what it does, such as `Finds …` or `Creates …`",
    },
  ];
}
