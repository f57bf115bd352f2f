import type { ToolModel } from "../../model/tool.ts";
import { checkTag } from "./check-tag.ts";
import { tagPlace, tagText } from "./doc-text.ts";
import { parseDuration, parseRange } from "../../../runtime/contract/duration.ts";
import { report, type Place, type Reading } from "../base/reading.ts";
import { constraintTags, toolModifiers, toolTags } from "../base/tag-names.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";

type Tagged = Pick<
  ToolModel,
  | "title"
  | "path"
  | "readonly"
  | "destructive"
  | "idempotent"
  | "openWorld"
  | "icon"
  | "timeout"
  | "retry"
  | "thread"
  | "keep"
  | "alwaysLoad"
  | "deprecated"
  | "category"
  | "task"
  | "scopes"
> & { readonly name?: string; readonly text?: "json" | "summary" | "none" };

/**
 * Reads the tags of a tool's comment, except examples, the schema URN and the tags of parameters and fields. Bad values
 * are diagnostics.
 */
export function readToolTags(reading: Reading, doc: Doc, place: Place, others: ReadonlySet<DocTag>): Tagged {
  const model: Tagged = {};
  const seen = new Set<string>();
  for (const tag of doc.tags.filter((one) => !others.has(one))) {
    checkPlace(reading, tag, place);
    if (!toolTags.has(tag.name) && !toolModifiers.has(tag.name)) continue;
    if (seen.has(tag.name) && !repeatedTags.has(tag.name)) {
      report(reading, {
        code: "TN108",
        place: tagPlace(tag, place),
        message: `\`@${tag.name}\` is given twice.`,
        fix: "keep one",
      });
      continue;
    }
    seen.add(tag.name);
    const value = readTag(tag, textTags.has(tag.name) ? tagText(reading, tag, place) : tag.text);
    if (typeof value === "string")
      report(reading, {
        code: "TN108",
        place: tagPlace(tag, place),
        message: `\`@${tag.name}${tag.text === "" ? "" : ` ${tag.text.split("\n")[0]}`}\` is not valid: ${value}.`,
      });
    else Object.assign(model, value);
  }
  if (model.readonly === true && model.destructive === true) {
    report(reading, {
      code: "TN108",
      place: { file: place.file, start: doc.start, end: doc.start + 3 },
      message: "`@readonly` and `@destructive` contradict one another.",
      fix: "keep one",
    });
  }
  return model;
}

/** Tags whose value is prose. */
const textTags: ReadonlySet<string> = new Set(["title", "deprecated", "category"]);

/** Tags that a tool may have several times. */
const repeatedTags: ReadonlySet<string> = new Set(["example", "ask", "schedule", "priority"]);

const longestCategory = 60;

/** Parses a tag: returns a part of the model, or a text that describes the mistake. */
function readTag(tag: DocTag, text: string): Tagged | string {
  switch (tag.name) {
    case "name":
      return isToolName(text) ? { name: text } : "a name has 1 to 64 characters of `A-Z a-z 0-9 _ . -`";
    case "title":
      return text === "" || text.includes("\n") ? "a title is one line of text" : { title: text };
    case "category":
      return text === "" || text.length > longestCategory || text.includes("\n")
        ? `a category is one line of at most ${longestCategory} characters`
        : { category: text };
    case "path":
      return pathProblem(text) ?? { path: text };
    case "icon":
      return /^(https?:\/\/\S+|data:image\/\S+)$/.test(text)
        ? { icon: text }
        : "an icon is an `https:` or `data:image/` URL";
    case "retry":
      return readRetry(text);
    case "timeout":
      return readTimeout(text);
    case "deprecated":
      return { deprecated: text === "" ? true : text };
    case "task":
      return text === "required" || text === "optional" || text === "never"
        ? { task: text }
        : "it takes `required`, `optional` or `never`";
    case "scope":
      return readScopes(text);
    case "inputSchema":
      return text === "" || /\s/.test(text) ? "it takes the path of a JSON file" : {};
    case "text":
      return text === "json" || text === "summary" || text === "none"
        ? { text }
        : "it takes `json`, `summary` or `none`";
    case "readonly":
      return text === "false" ? {} : { readonly: true };
    case "idempotent":
      return text === "false" ? {} : { idempotent: true };
    case "thread":
      return text === "false" ? {} : { thread: true };
    case "keep":
      return text === "false" ? {} : { keep: true };
    case "alwaysLoad":
      return text === "false" ? {} : { alwaysLoad: true };
    case "destructive":
      return { destructive: text !== "false" };
    case "openWorld":
      return { openWorld: text !== "false" };
    default:
      return {};
  }
}

/** Scope names by RFC 6749: printable ASCII without spaces, quotes and backslashes. */
function readScopes(text: string): Tagged | string {
  const scopes = [...new Set(text.split(/\s+/).filter((scope) => scope !== ""))];
  if (scopes.length === 0) return "it takes the names of scopes, such as `notes:write`";
  const bad = scopes.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return bad === undefined
    ? { scopes }
    : `\`${bad}\` is not a valid scope: it has ASCII letters, digits and signs, without quotes and backslashes`;
}

/** True for a valid tool name: 1 to 64 characters that every MCP host accepts. */
export function isToolName(text: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(text);
}

const reserved =
  "/.well-known /jobs /queue /schedules /metrics /healthz /readyz /_healtz /openapi.json /service.json /docs /mcp".split(
    " ",
  );

/** Describes why a REST path is not valid; `undefined` for a valid path. */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return "a path begins with `/`";
  if (!/^(\/[A-Za-z0-9\-._~!$&'()+,;=@%]+)+$/.test(path))
    return "a path has no empty parts, parameters, query or white space";
  const taken = reserved.find((name) => path === name || path.startsWith(`${name}/`));
  return taken === undefined ? undefined : `\`${taken}\` is a path of every service`;
}

function readTimeout(text: string): Tagged | string {
  const timeout = parseDuration(text) ?? 0;
  // The limit is the longest delay of a timer.
  return timeout > 0 && timeout < 2 ** 31 ? { timeout } : "it takes a time such as `30s`, `500ms` or `2m`";
}

/** Parses `5`, `5 2s` or `5 2s..5m`: the number of attempts, and the time between them. */
function readRetry(text: string): Tagged | string {
  const [, number, range = "1s..1m"] = /^(\d+)(?:\s+(.+))?$/.exec(text) ?? [];
  const attempts = Number(number);
  const times = parseRange(range);
  const isLegal = attempts >= 2 && attempts <= 1000 && times !== undefined && times.to <= longestBackoff;
  return isLegal
    ? { retry: { attempts, ...times } }
    : "it takes a number of tries from 2 to 1000, and the time between them, such as `5 2s..5m`, of at most 30 days";
}

const longestBackoff = 30 * 86_400_000;

function checkPlace(reading: Reading, tag: DocTag, place: Place): void {
  if (checkTag(reading, tag, place, true)) return;
  if (constraintTags.has(tag.name) || valueTags.has(tag.name))
    report(reading, {
      code: "TN110",
      place: tagPlace(tag, place),
      message: `\`@${tag.name}\` has no meaning on a tool.`,
      fix: "put it on the field of a request model",
    });
}

const valueTags: ReadonlySet<string> = new Set(["default", "defaultValue", "header"]);
