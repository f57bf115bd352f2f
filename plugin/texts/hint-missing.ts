import type { ToolModel } from "../model/tool.ts";
import type { TextFinding } from "./text-finding.ts";
import { nameWords } from "./words.ts";

const reading: ReadonlySet<string> = new Set(["get", "list", "find", "search"]);
const deleting: ReadonlySet<string> = new Set(["delete", "remove", "drop"]);
/** Matches the rest of a name that also says that something is changed: `findAndReplace`, `getOrCreate`. */
const changing = /^(?:and|or|create|replace|update|set|add|delete|remove|ask|wait|run|execute|start)$/;

/** TN606: a tool whose name says that it reads or deletes, without the tag that informs hosts. */
export function hintMissing({ name, position, readonly, destructive }: ToolModel): readonly TextFinding[] {
  const [verb = "", ...rest] = nameWords(name);
  if (
    reading.has(verb) &&
    readonly !== true &&
    destructive === undefined &&
    !rest.some((word) => changing.test(word))
  ) {
    return [
      {
        code: "TN606",
        at: position,
        message: `Tool \`${name}\` seems to read only, and hosts ask before each call of a tool that does not say so.`,
        fix: "add `@readonly` to its comment if it changes nothing",
        tag: "@readonly",
      },
    ];
  }
  if (!deleting.has(verb) || destructive !== undefined || readonly === true) return [];
  return [
    {
      code: "TN606",
      at: position,
      message: `Tool \`${name}\` seems to delete, and does not say if what it deletes can be had again.`,
      fix: "add `@destructive` to its comment, or `@destructive false` if nothing is lost",
      tag: "@destructive",
    },
  ];
}
