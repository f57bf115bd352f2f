import { CallError } from "../../runtime/client/call-error.ts";
import { httpSender } from "../../runtime/client/rest/http.ts";
import { restTransport } from "../../runtime/client/rest/rest-transport.ts";
import type { ToolFacts } from "../../runtime/client/transport.ts";
import { type CallAnswer, type Listener, readAnswer } from "./call-answer.ts";
import { fetchService, needsToken } from "../base/fetch-service.ts";
import { cut, readJson } from "../base/read-answer.ts";
import { runCall } from "./run-call.ts";
import { CommandError } from "../base/usage.ts";
import { nearestName } from "../../runtime/contract/nearest-name.ts";
import { isObject } from "../base/is-object.ts";
import { visibleLine, visibleRecord } from "../../runtime/base/visible-text.ts";

/** Calls a tool over REST as a job of its own, so that its events can be followed while it runs. */
export async function callRest(base: string, tool: string, request: unknown, onStep: Listener): Promise<CallAnswer> {
  const facts = await findTool(base, tool);
  const service = restTransport(httpSender({ url: base, fetch: fetchService }), {}, async () => facts);
  try {
    return await runCall(service, { tool: facts, request, onStep, read: readAnswer });
  } catch (error) {
    throw error instanceof CallError ? new CommandError(visibleRecord(error.message)) : error;
  }
}

/** Milliseconds within which the OpenAPI document must arrive. */
const patience = 30_000;

async function findTool(base: string, tool: string): Promise<ToolFacts> {
  const signal = AbortSignal.timeout(patience);
  const response = await fetchService(`${base}/openapi.json`, { signal }).catch((error: unknown) => cut(base, error));
  if (response.status === 401) throw new CommandError(needsToken);
  if (!response.ok)
    throw new CommandError(`${base}/openapi.json answered ${response.status}: is this a tenon service?`);
  const paths = await readPaths(base, response);
  // A path without a slash at its beginning would lengthen the name of the host.
  const tools = Object.entries(paths).flatMap(([path, item]): ToolFacts[] => {
    const post = isObject(item) && isObject(item["post"]) ? item["post"] : {};
    const name = post["operationId"];
    if (typeof name !== "string" || !path.startsWith("/")) return [];
    return [{ name, path, kind: kindOf(post["responses"]), isRepeatable: false }];
  });
  const found = tools.find(({ name }) => name === tool);
  if (found === undefined) {
    throw new CommandError(
      noSuchTool(
        tool,
        tools.map(({ name }) => name),
      ),
    );
  }
  return found;
}

/** Kind of a result by its media type, as far as answers of the kinds differ. */
function kindOf(responses: unknown): ToolFacts["kind"] {
  const { content } = Object(Object(responses)["200"]) as { readonly content?: unknown };
  const [type = ""] = Object.keys(Object(content) as object);
  return kinds.get(type) ?? "json";
}

const kinds: ReadonlyMap<string, ToolFacts["kind"]> = new Map([
  ["*/*", "binary"],
  ["application/octet-stream", "bytes"],
  ["text/plain", "text"],
]);

/** Reads the paths of the OpenAPI document. An HTML page or another program's answer is a usage error. */
async function readPaths(base: string, response: Response): Promise<Readonly<Record<string, unknown>>> {
  const document = await readJson(response);
  if (isObject(document) && isObject(document["paths"])) return document["paths"];
  const type = response.headers.get("content-type") ?? "no content type";
  throw new CommandError(`${base}/openapi.json is not an OpenAPI document (${type}): is this a tenon service?`);
}

/** The error text for an unknown tool, for both protocols. */
function noSuchTool(tool: string, names: readonly string[]): string {
  const meant = nearestName(tool, names);
  const question = meant === undefined ? "" : ` Did you mean ${visibleLine(meant)}?`;
  const list = names.length === 0 ? "It has none." : `Its tools: ${names.map(visibleLine).join(", ")}`;
  return `The service has no tool ${JSON.stringify(tool)}.${question} ${list}`;
}
