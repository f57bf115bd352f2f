import { classKeyword } from "../../runtime/contract/class-keyword.ts";
import type { ToolAnnotations } from "../../runtime/contract/contract.ts";
import { toolAlias } from "../../runtime/contract/definition/tool-path.ts";
import type { ContractTool } from "./contract.ts";
import { compareLimits } from "./limit-facts.ts";
import type { FactChange } from "./finding.ts";

interface Fact {
  readonly place: string;
  readonly compare: (before: ContractTool, after: ContractTool) => readonly FactChange[];
}

/** The properties of a tool other than its schemas, each with the effect of changes on callers. */
export const toolFacts: readonly Fact[] = [
  { place: "path", compare: comparePaths },
  { place: "result", compare: compareResultKinds },
  { place: "scopes", compare: compareScopes },
  { place: "task", compare: compareTasks },
  {
    place: "request",
    compare: ({ strict: before }, { strict: after }) => {
      if (before === after) return [];
      if (after !== true)
        return [{ severity: "additive", rule: "strict-removed", message: "unknown keys are ignored" }];
      const problem = '/unknown: The key "unknown" is not known.';
      const extra = { unknown: 1 };
      return [{ severity: "breaking", rule: "strict-added", message: "unknown keys are refused", problem, extra }];
    },
  },
  {
    place: "timeout",
    compare: ({ timeout: before = Infinity }, { timeout: after = Infinity }) => {
      if (before === after) return [];
      const text = (seconds: number): string => (seconds === Infinity ? "none" : `${seconds} s`);
      const message = `the time limit of a job went from ${text(before)} to ${text(after)}`;
      return [
        after < before
          ? { severity: "behaviour", rule: "timeout-shortened", message: `${message}; a longer one ends with 504` }
          : { severity: "additive", rule: "timeout-extended", message },
      ];
    },
  },
  { place: "limits", compare: compareLimits },
  ...hints([
    ["readOnlyHint", false, true, "is no longer said to be read-only", "is said to be read-only"],
    ["destructiveHint", true, false, "may destroy something", "is said to destroy nothing"],
    ["idempotentHint", false, true, "is no longer idempotent: a repeated call counts twice", "is idempotent"],
    ["openWorldHint", true, false, "may reach the world outside", "is said to stay in a closed world"],
  ]),
  text("title", "title-changed", ({ title }) => title),
  text("description", "description-changed", ({ description }) => description),
  text("deprecated", "deprecation-changed", ({ deprecated }) => deprecated),
  text("category", "category-changed", ({ category }) => category),
  text("examples", "examples-changed", ({ examples }) => examples),
];

function comparePaths({ name, path: before }: ContractTool, { path: after }: ContractTool): readonly FactChange[] {
  if (before === undefined || after === undefined || before === after || toolAlias(name, after) === before) return [];
  const message = `\`${before}\` became \`${after}\``;
  return [
    {
      severity: "breaking",
      rule: "path-changed",
      message,
      problem: `POST ${before} answers 404: there is no such route`,
    },
  ];
}

const mediaTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  text: "text/plain",
  bytes: "application/octet-stream",
  binary: "the type of each result",
  content: "application/json with a list of content blocks",
  none: "application/json with null",
};

function compareResultKinds(before: ContractTool, after: ContractTool): readonly FactChange[] {
  const [old, now] = [resultKindOf(before), resultKindOf(after)];
  if (old === undefined || now === undefined || old === now) return [];
  return [
    {
      severity: "breaking",
      rule: "result-kind-changed",
      message: `the result is ${now}, not ${old}`,
      problem: `Expected ${mediaTypes[old]}, got ${mediaTypes[now]}.`,
    },
  ];
}

/**
 * Returns the kind of a tool's result. Definitions of earlier versions have no kinds, and do not distinguish plain text
 * from JSON strings; but a string that stands for a value of a class, such as a date, is always JSON.
 */
function resultKindOf(tool: ContractTool): string | undefined {
  const schema = tool["result-schema"];
  const mayBeText = schema === undefined || (schema["type"] === "string" && schema[classKeyword] === undefined);
  return tool["result-kind"] ?? (mayBeText ? undefined : "json");
}

/** The differences between the scopes that callers need. */
export function compareScopes(
  { scopes: before = [] }: ContractTool,
  { scopes: after = [] }: ContractTool,
): readonly FactChange[] {
  const added = after.filter((scope) => !before.includes(scope)).join(" ");
  const removed = before.filter((scope) => !after.includes(scope)).join(" ");
  const had = before.length === 0 ? "no scope" : `the scope ${before.join(" ")}`;
  return [
    ...(added === ""
      ? []
      : [
          {
            severity: "breaking" as const,
            rule: "scope-added",
            message: `callers also need the scope ${added}`,
            problem: `A token with ${had} is refused with 403: it lacks ${added}.`,
          },
        ]),
    ...(removed === ""
      ? []
      : [
          {
            severity: "safety" as const,
            rule: "scope-removed",
            message: `callers no longer need the scope ${removed}`,
          },
        ]),
  ];
}

function compareTasks({ task: before }: ContractTool, { task: after }: ContractTool): readonly FactChange[] {
  if (before === after) return [];
  const message = `\`@task\` went from ${before ?? "none"} to ${after ?? "none"}`;
  if (after !== "required") return [{ severity: "behaviour", rule: "task-changed", message }];
  const problem = "An MCP client without the tasks extension is refused.";
  return [{ severity: "breaking", rule: "task-required", message, problem }];
}

type Hint = readonly [
  name: keyof ToolAnnotations,
  /** The default of a missing hint, by MCP. */
  missing: boolean,
  safe: boolean,
  lost: string,
  gained: string,
];

/** Makes the properties for MCP hints, by which hosts decide whether to ask people for confirmation. */
function hints(all: readonly Hint[]): readonly Fact[] {
  return all.map(([name, missing, safe, lost, gained]) => ({
    place: "annotations",
    compare(before, after) {
      const [old, now] = [before.annotations[name] ?? missing, after.annotations[name] ?? missing];
      if (old === now) return [];
      const rule = name.replace(/([A-Z])/g, (letter) => `-${letter.toLowerCase()}`);
      return [
        now === safe
          ? { severity: "behaviour", rule: `${rule}-gained`, message: gained }
          : { severity: "safety", rule: `${rule}-lost`, message: lost },
      ];
    },
  }));
}

function text(place: string, rule: string, of: (tool: ContractTool) => unknown): Fact {
  return {
    place,
    compare: (before, after) =>
      JSON.stringify(of(before)) === JSON.stringify(of(after))
        ? []
        : [{ severity: "wording", rule, message: `the ${place === "deprecated" ? "deprecation" : place} changed` }],
  };
}
