import { resolveType } from "../emit/facts/type-facts.ts";
import type { ToolModel } from "../model/tool.ts";
import type { TextFinding } from "./text-finding.ts";
import { contentOf, nameMeaning, textWords } from "./words.ts";

/** Share of common trigrams from which on two texts are similar. */
const alike = 0.6;

/** A tool in the form for comparisons. */
export interface Compared {
  readonly tool: ToolModel;
  readonly words: string;
  readonly request: string;
  readonly content: ReadonlySet<string>;
  readonly trigrams: ReadonlySet<string>;
}

/**
 * TN603: two tools that are alike in two of three respects: words of the name, type of the request, text. Each tool has
 * at most one finding, about the first tool that is too similar.
 */
export function tooNear(tools: readonly Compared[]): readonly TextFinding[] {
  const before = new Map<string, Compared[]>();
  const groupOf = (key: string): Compared[] => {
    const group = before.get(key) ?? [];
    before.set(key, group);
    return group;
  };
  return tools.flatMap((one) => {
    // Tools that differ in both name and request are not compared, since at most one of the three respects could be
    // alike.
    const groups = [groupOf(`words ${one.words}`), groupOf(`request ${one.request}`)];
    const found = groups.flat().flatMap((other) => nearness(one, other) ?? [])[0];
    for (const group of groups) group.push(one);
    return found === undefined ? [] : [found];
  });
}

/** Extracts the compared parts of a tool. */
export function compared(tool: ToolModel): Compared {
  const content = contentOf(textWords(tool.description));
  return {
    tool,
    words: nameMeaning(tool.name),
    request: requestKey(tool),
    content: new Set(content),
    trigrams: trigramsOf(content.join(" ")),
  };
}

/**
 * Returns a key for comparing requests: the name of a named type; for any other request, its fields without their
 * texts.
 */
function requestKey({ request, definitions }: ToolModel): string {
  if (request === undefined) return "none";
  if (request.type.kind === "ref") return `ref ${request.type.name}`;
  const type = resolveType(request.type, definitions);
  return type.kind === "object" ? JSON.stringify(type.fields, withoutTexts) : "none";
}

const texts: ReadonlySet<string> = new Set(["title", "description", "examples", "at", "urn"]);

function withoutTexts(key: string, value: unknown): unknown {
  return texts.has(key) && (typeof value !== "object" || !Array.isArray(value) || key === "examples")
    ? undefined
    : value;
}

function nearness(one: Compared, other: Compared): TextFinding | undefined {
  const isNamed = one.words !== "" && one.words === other.words;
  const isAsked = one.request === other.request;
  const isSaid = (isNamed || isAsked) && similarity(one.trigrams, other.trigrams) >= alike;
  // Two tools with the same request are distinguished by a word that only one of the texts has.
  const isTold = isNamed || !isSaid || !differ(one.content, other.content);
  const shared = [
    ...(isNamed ? ["their names"] : []),
    ...(isAsked && one.request !== "none" ? ["their requests"] : []),
    ...(isSaid ? ["their texts"] : []),
  ];
  if ([isNamed, isAsked, isSaid].filter(Boolean).length < 2 || !isTold) return undefined;
  const { name, position } = other.tool;
  const { file, line, column } = position;
  return {
    code: "TN603",
    at: one.tool.position,
    message: `Tools \`${one.tool.name}\` and \`${name}\` (${file}:${line}:${column}) are hard to tell apart: ${listed(shared)} say the same.`,
    fix: "say in each text when it is the right one, or make one tool of both",
    related: [{ message: "the other tool", ...position }],
  };
}

function listed(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
}

function differ(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size !== other.size || [...one].some((word) => !other.has(word));
}

function trigramsOf(text: string): ReadonlySet<string> {
  const padded = `  ${text} `;
  return new Set(Array.from({ length: Math.max(0, padded.length - 2) }, (_, at) => padded.slice(at, at + 3)));
}

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [less, more] = one.size < other.size ? [one, other] : [other, one];
  if (less.size < more.size * alike) return 0;
  let shared = 0;
  for (const part of less) if (more.has(part)) shared++;
  return shared / (one.size + other.size - shared);
}
