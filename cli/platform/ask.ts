import { isObject } from "../base/is-object.ts";
import { visibleLine } from "../../runtime/base/visible-text.ts";
import { callerAuthorization } from "../base/fetch-service.ts";
import { isItemList, nextPage, type Item } from "../base/item-list.ts";
import { cut, readAnswer } from "../base/read-answer.ts";
import { CommandError, UsageError, type Arguments, type OptionHelp } from "../base/usage.ts";
import { findPlatform, operatorToken } from "./folder.ts";
import { describeProblems, shortId } from "./show-events.ts";

/** Maximum number of jobs that are searched for a short id, the latest first. */
const searched = 1000;

/** Options of every command that calls a running platform. */
export const askOptions: Readonly<Record<string, OptionHelp>> = {
  url: { type: "string", value: "URL", help: "where the platform listens; default: that of this folder" },
  folder: { type: "string", value: "DIR", help: "folder of the platform, default .tenon/platform" },
  json: { type: "boolean", help: "print data as JSON" },
};

/** Sends one request to a running platform. Any answer but 2xx throws a `CommandError` with the platform's own text. */
export type Ask = (path: string, options?: RequestInit) => Promise<Response>;

/** Creates the client for the platform that the options name. */
export function asker(given: Arguments): Ask {
  const base = findPlatform(given.text("url"), given.text("folder"));
  // A platform that was given by its address gets no token, since it may belong to somebody else.
  const token = given.text("url") === undefined ? operatorToken(base, given.text("folder")) : undefined;
  return async (path, options = {}) => {
    const headers = new Headers(options.headers);
    if (token !== undefined) headers.set("authorization", token);
    const response = await fetch(base + path, { ...options, headers }).catch((error: unknown) => {
      const cause = (error as { readonly cause?: { readonly code?: string } }).cause;
      if (cause?.code !== "ECONNREFUSED") return cut(base, error);
      throw new CommandError(
        `No platform listens at ${base}. Start one with \`tenon platform\`, or name it with --url.`,
      );
    });
    if (response.ok) return response;
    throw new CommandError(await reasonOf(response));
  };
}

/** Makes the header with the caller's token (`TENON_TOKEN`), for a service that was given by its address. */
export function serviceToken(given: Arguments): Readonly<Record<string, string>> {
  const authorization = given.text("url") === undefined ? undefined : callerAuthorization();
  return authorization === undefined ? {} : { authorization };
}

/** The text of an error answer, with the problems of what was sent, one line each. */
async function reasonOf(response: Response): Promise<string> {
  const text = await response.text().catch((error: unknown) => cut(response.url, error));
  try {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { detail, message, error } = body;
    return [visibleLine(String(detail ?? message ?? error ?? text)), ...describeProblems(body)].join("\n");
  } catch {
    return `The platform answered ${response.status}. ${visibleLine(text.slice(0, 1000))}`.trim();
  }
}

/** Asks for one object. */
export async function askItem(ask: Ask, path: string, options?: RequestInit): Promise<Item> {
  return readAnswer(await ask(path, options), "platform", isObject);
}

/** All items of a list, page by page, up to `most`. */
export async function* listItems(ask: Ask, path: string, most: number): AsyncGenerator<Item, void, undefined> {
  const mark = path.includes("?") ? "&" : "?";
  let page = "";
  for (let left = most; left > 0;) {
    const response = await ask(`${path}${mark}limit=${Math.min(left, 50)}${page}`);
    const list = await readAnswer(response, "platform", isItemList);
    for (const item of list.items) {
      if (left-- <= 0) return;
      yield item;
    }
    const next = nextPage(list);
    if (next === undefined) return;
    page = `&page=${encodeURIComponent(next)}`;
  }
}

/**
 * Finds the id of a job by its last letters, which the live view shows. Any other text is returned as the id itself; if
 * no job has it, the platform reports that.
 */
export async function findJob(ask: Ask, text: string): Promise<string> {
  // As a segment of a path it would lead to another route.
  if (/^\.{0,2}$/.test(text))
    throw new UsageError(`The id of the job is ${text === "" ? "empty" : JSON.stringify(text)}`);
  if (text !== shortId(text) || text.includes(":")) return text;
  const found: string[] = [];
  for await (const { id } of listItems(ask, "/jobs", searched)) {
    const known = String(id);
    if (known === text || known.endsWith(`:${text}`)) return known;
    if (shortId(known) === text) found.push(known);
  }
  const [id = text, ...others] = found;
  if (others.length === 0) return id;
  throw new CommandError(
    `Several jobs end with ${text}; give the whole id of one: ${found.map(visibleLine).join(", ")}`,
  );
}
