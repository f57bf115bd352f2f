import { join } from "node:path";
import { openProject } from "../support/open-project.ts";
import { taggedModule } from "./tagged-types.ts";

/** A folder with a package.json of its own: types of this package are the plugin's. */
const folder = join(import.meta.dirname, "../golden");

/** The fate of the tags of generated types. */
export interface TagOutcome {
  readonly tags: number;
  /** Tags that stand in the model which schema and validator are made from. */
  readonly used: number;
  /** Tags that a diagnostic named instead. */
  readonly named: number;
  /** Everything that must not be: tags lost without a word, sums that do not agree, types that are refused. */
  readonly failures: readonly string[];
}

const rules = {
  "missing-schema": "off",
  "missing-field-text": "off",
  "missing-text": "off",
} as const;

/** Reads generated types whose tags can be told apart, and looks for each of them in model and diagnostics. */
export function lookForLostTags(count: number, seed: number): TagOutcome {
  const { text, tools } = taggedModule(count, seed);
  const path = join(folder, "generated-tags.ts");
  const project = openProject({ root: folder, rules });
  try {
    const { module, diagnostics, tags } = project.read(path, text);
    const failures = diagnostics
      .filter(({ level }) => level === "error")
      .map(({ code, line, message, lineText }) => `${code} in line ${line}: ${message}\n  ${lineText}`);
    for (const { tool, met, used, refused } of tags)
      if (met !== used + refused) failures.push(`${tool}: ${met} tags met, ${used} used and ${refused} refused`);
    const lines = text.split("\n");
    const outcome = { tags: 0, used: 0, named: 0 };
    for (const { name, tags: expected } of tools) {
      const model = module.tools.find((tool) => tool.name === name);
      const numbers = new Set(JSON.stringify([model?.request, model?.definitions]).match(/\d+/g));
      for (const number of expected) {
        outcome.tags += 1;
        const at = lines.findIndex((line) => new RegExp(` ${number} \\*/`).test(line));
        const alias = /^type (\w+)/.exec(lines[at + 1] ?? "")?.[1];
        if (numbers.has(String(number))) outcome.used += 1;
        else if (diagnostics.some((one) => one.line === at + 1 || one.message.includes(`of \`${alias}\``)))
          outcome.named += 1;
        else failures.push(`${name} has lost the tag of line ${at + 1}: ${lines[at]} ${lines[at + 1]}`);
      }
    }
    return { ...outcome, failures };
  } finally {
    project.dispose();
  }
}
