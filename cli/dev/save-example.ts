import { readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import { lastTag } from "../../plugin/diagnostics/last-tag.ts";

/** Maximum characters of a request that is saved as an example. */
const longestExample = 2000;

export interface ExampleToSave {
  /** Folder of the project. */
  readonly root: string;
  /** File and line of a tool's function, as its definition names it. */
  readonly source: string;
  /** JSON of a request. */
  readonly request: string;
  /** Time at which the build with this tool was loaded, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** True for a valid request; absent if the tool takes any. */
  readonly isRequest?: ((wire: unknown) => boolean) | undefined;
  /** True for the name of a field that holds a secret. */
  readonly isSecret: (name: string) => boolean;
}

/** Outcome of saving an example: its position in the file, or the reason why it was refused. */
export type SavedExample = { readonly place: string } | { readonly refusal: string };

/**
 * Writes a request into the comment of its tool, as an `@example` after all other tags. Editors treat this as an
 * external change of the file, which they can undo.
 */
export function saveExample(example: ExampleToSave): SavedExample {
  const { root, source, request, loadedAt, isRequest, isSecret } = example;
  if (request.length > longestExample)
    return {
      refusal: `The request has ${request.length} characters; an example in a comment has at most ${longestExample}.`,
    };
  const wire: unknown = JSON.parse(request);
  if (isRequest?.(wire) === false)
    return { refusal: "The tool refuses this request, and a build refuses an example that is not valid." };
  const secret = secretIn(wire, isSecret);
  if (secret !== undefined)
    return {
      refusal: `\`${secret}\` is named like a secret, which does not belong in a source file. Copy the example, and change it.`,
    };
  const [, file = "", row = ""] = /^(.+):(\d+)$/.exec(source) ?? [];
  const path = resolve(root, file);
  const changed = `${file} has changed since it was loaded. Save it without errors, and try again.`;
  try {
    if (!realpathSync(path).startsWith(realpathSync(root) + sep))
      return { refusal: `${file} is not below the project.` };
    if (statSync(path).mtimeMs > loadedAt) return { refusal: changed };
    const text = readFileSync(path, "utf8");
    const comment = commentAbove(text, Number(row));
    if (comment === undefined)
      return { refusal: `${source} has no comment \`/** … */\` directly above it. Write one, with \`@tool\`.` };
    const tag = `@example ${inComment(request)}`;
    const doc = text.slice(comment.start, comment.end);
    const line = (at: number): number => text.slice(0, at).split("\n").length;
    const known = doc.indexOf(tag);
    if (known >= 0 && /^\s/.test(doc.slice(known + tag.length)))
      return { refusal: `The tool has this example already, at ${file}:${line(comment.start + known)}.` };
    const { offset, text: added } = lastTag(comment, { text }, tag);
    writeFileSync(path, text.slice(0, offset) + added + text.slice(offset));
    return { place: `${file}:${line(offset) + (added.startsWith("\n") ? 1 : 0)}` };
  } catch (error) {
    return { refusal: `${file} could not be changed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Finds the comment that ends directly above a line, or begins on that line; undefined if there is none. */
function commentAbove(text: string, row: number): { readonly start: number; readonly end: number } | undefined {
  const lines = text.split("\n");
  const before = lines.slice(0, row - 1).join("\n");
  const above = before.trimEnd();
  const own = /^\s*\/\*\*.*?\*\//.exec(lines[row - 1] ?? "")?.[0];
  const end =
    own === undefined ? (above.endsWith("*/") ? above.length : -1) : (row > 1 ? before.length + 1 : 0) + own.length;
  const start = text.lastIndexOf("/**", end - 2);
  if (end < 0 || start < 0) return undefined;
  // If the text contains another end of a comment, it spans two comments, such as one with `/* eslint-disable */` in
  // between.
  return text.slice(start, end).indexOf("*/") === end - start - 2 ? { start, end } : undefined;
}

/** Escapes JSON so that it neither ends the comment nor begins another tag. */
function inComment(json: string): string {
  return json.replaceAll("*/", String.raw`*\/`).replaceAll(/(^|[^\w.])@/g, String.raw`$1\u0040`);
}

function secretIn(value: unknown, isSecret: (name: string) => boolean): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = !Array.isArray(value) && isSecret(name) ? name : secretIn(member, isSecret);
    if (found !== undefined) return found;
  }
  return undefined;
}
