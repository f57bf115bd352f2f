import type { ToolModel } from "../model/tool.ts";
import { firstSentence } from "./sentences.ts";
import type { TextFinding } from "./text-finding.ts";

/** Maximum bytes of a tool's text. */
const longestText = 1024;
/** Maximum characters of the first sentence in a tool's text. */
const longestSentence = 200;

/** TN602: a text, or a first sentence, that is longer than hosts and models use. */
export function tooLong({ name, description, position }: ToolModel): readonly TextFinding[] {
  const bytes = Buffer.byteLength(description);
  if (bytes > longestText) {
    return [
      {
        code: "TN602",
        at: position,
        message: `The text of tool \`${name}\` has ${bytes} bytes, and more than ${longestText} fill what a model can read.`,
        fix: "keep what the choice of the tool needs, and move what speaks of one value to its field",
      },
    ];
  }
  const { length } = [...firstSentence(description)];
  if (length <= longestSentence) return [];
  return [
    {
      code: "TN602",
      at: position,
      message: `The first sentence of tool \`${name}\` has ${length} characters, more than ${longestSentence}.`,
      fix: "say in it only what the tool does, and the rest in sentences behind it",
    },
  ];
}
