import { randomUUID } from "node:crypto";
import type { CallAnswer, Listener } from "./call-answer.ts";
import { describeEvent } from "./describe-event.ts";
import { fetchService, needsToken } from "../base/fetch-service.ts";
import { serverSentEvents } from "../base/server-sent-events.ts";
import { noSuchTool } from "./no-such-tool.ts";
import { CommandError } from "../base/usage.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly operationId?: string } }>>;
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Calls a tool over REST as a deferred job, so that its events can be followed while it runs. */
export async function callRest(base: string, tool: string, request: unknown, onStep: Listener): Promise<CallAnswer> {
  const path = await toolPath(base, tool);
  // A job with an id from the caller is kept even if it ends at once, so that its steps can be shown.
  const id = randomUUID();
  const submitted = await fetchService(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async", "job-id": id },
    body: JSON.stringify(request),
  });
  const job = `${base}/jobs/${id}`;
  if (submitted.status !== 202) {
    if (submitted.ok) await followEvents(`${job}/events`, onStep);
    return readAnswer(submitted);
  }
  await submitted.body?.cancel();
  const cancel = (): void => void fetchService(job, { method: "DELETE" });
  process.once("SIGINT", cancel);
  try {
    await followEvents(`${job}/events`, onStep);
    return await readAnswer(await waitForResult(job));
  } finally {
    process.removeListener("SIGINT", cancel);
  }
}

async function toolPath(base: string, tool: string): Promise<string> {
  const response = await fetchService(`${base}/openapi.json`);
  if (response.status === 401) throw new CommandError(needsToken);
  if (!response.ok)
    throw new CommandError(`${base}/openapi.json answered ${response.status}: is this a tenon service?`);
  const { paths } = await readOpenApi(base, response);
  const tools = Object.entries(paths).flatMap(([path, { post }]) =>
    post?.operationId === undefined ? [] : [{ path, name: post.operationId }],
  );
  const found = tools.find(({ name }) => name === tool);
  if (found === undefined) {
    throw new CommandError(
      noSuchTool(
        tool,
        tools.map(({ name }) => name),
      ),
    );
  }
  return found.path;
}

/** Reads the document. An HTML page or another program's answer is a usage error. */
async function readOpenApi(base: string, response: Response): Promise<OpenApi> {
  const document = (await response.json().catch(() => undefined)) as Partial<OpenApi> | null | undefined;
  if (typeof document?.paths === "object") return { paths: document.paths };
  const type = response.headers.get("content-type") ?? "no content type";
  throw new CommandError(`${base}/openapi.json is not an OpenAPI document (${type}): is this a tenon service?`);
}

async function waitForResult(job: string): Promise<Response> {
  for (;;) {
    const response = await fetchService(job, { headers: { prefer: "wait=20" } });
    if (response.status !== 202) return response;
    await response.body?.cancel();
  }
}

async function followEvents(url: string, onStep: Listener): Promise<void> {
  const response = await fetchService(url, { headers: { accept: "text/event-stream" } });
  if (!response.ok || response.body === null) return;
  for await (const { data } of serverSentEvents(response.body)) {
    const { type, data: event } = JSON.parse(data) as { type: string; data: Record<string, unknown> };
    if (type === "platform.job.event") onStep(describeEvent(event));
  }
}

async function readAnswer(response: Response): Promise<CallAnswer> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok)
    return { ok: false, text: describeProblem((await response.json().catch(() => ({}))) as Problem, response.status) };
  if (type.startsWith("application/json")) return { ok: true, text: JSON.stringify(await response.json(), null, 2) };
  if (type.startsWith("text/")) return { ok: true, text: await response.text() };
  return { ok: true, text: type, bytes: new Uint8Array(await response.arrayBuffer()) };
}

function describeProblem(problem: Problem, status: number): string {
  const head = problem.detail ?? problem.title ?? `The service answered ${status}.`;
  const errors = (problem.errors ?? []).map(({ path, message }) => `  ${path === "" ? "(request)" : path}: ${message}`);
  return [head, ...errors].join("\n");
}
