import { ToolError } from "../../../runtime/base/errors.ts";
import type { JsonObject, WaitDefinition } from "../../../runtime/contract/contract.ts";
import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import { hasNoProblem } from "../../../runtime/contract/validation/report/report.ts";
import { checkMessageKey, isNewMessage, writtenMessage } from "../../../runtime/job/steps/message.ts";
import type { JobRecord } from "../../../runtime/executor/store/job-store.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import { apiPath } from "../../../runtime/outside/platform/sidecar/platform-api.ts";
import { maxStepBytes, stepKey } from "../../../runtime/job/steps/kept-step.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { HeldJob, JobTokens } from "../jobs/job-token.ts";
import type { RegisteredService } from "../services/known-services.ts";
import { callService } from "../services/call-service.ts";
import { readSeconds, type Exchange, type Handler } from "./exchange.ts";
import { echoesLease, holderOf, refuseJobs } from "./job-access.ts";
import { refuse } from "./sidecar-routes.ts";

/** Maximum seconds that a worker may wait for a message in one call. */
const longestPoll = 30;

/** `GET /jobs/{id}/messages?after=N&wait=S`: messages to a job after its first N messages, for its worker. */
export function messagesRoute({ queue, tokens }: { readonly queue: JobQueue; readonly tokens: JobTokens }): Handler {
  return async (exchange) => {
    const held = holderOf(exchange, tokens, exchange.segments[1]);
    if (!echoesLease(exchange, held)) return refuse(exchange, "stale");
    const after = Number(exchange.query("after") ?? 0);
    if (!Number.isSafeInteger(after) || after < 0) throw new ToolError("bad-request", "after must be a number.");
    const ms = (readSeconds("wait", exchange.query("wait"), longestPoll) ?? 0) * 1000;
    const onGone = exchange.onGone.bind(exchange);
    exchange.json(200, { messages: await queue.kept.messages(held.lease.id, { after, ms, onGone }) });
  };
}

/**
 * `POST /jobs/{id}/messages/{name}`: sends a message to a job that waits for it, or will wait for it. The platform
 * validates the message by the service's definition; without a definition, the worker does.
 */
export async function answerMessage(
  exchange: Exchange,
  queue: JobQueue,
  record: JobRecord,
  { service, sender }: { readonly service: RegisteredService; readonly sender: HeldJob | undefined },
): Promise<void> {
  const name = exchange.segments[exchange.segments.indexOf("messages", 2) + 1];
  if (name === undefined || name === "") throw new ToolError("not-found", "Name the message: messages/NAME.");
  const body = parseJsonBody(await exchange.body(maxStepBytes));
  const key = exchange.query("key");
  const once = exchange.header("idempotency-key");
  checkMessageKey(key);
  if (service.url !== undefined) {
    const answer = await callService(service.url, {
      method: "POST",
      path: apiPath(["jobs", record.id, "messages", name], { key }),
      headers: { "Content-Type": "application/json", ...(once !== undefined && { "Idempotency-Key": once }) },
      body: JSON.stringify(body),
    });
    // The service has already stored the message. It is stored here too, which only wakes the job, so that the service
    // is polled.
    if (answer.status < 300) await queue.kept.send(record.id, record.tool, { name: stepKey(name, key), body: "null" });
    const type = answer.headers["content-type"] ?? "application/json";
    return exchange.send(answer.status, ["Content-Type", type, "Cache-Control", "no-store"], answer.body);
  }
  const waits = waitsOf(service.definition);
  // Several tools may wait for a message of this name, and it is not known which of them the job runs.
  const alike = waits?.filter((wait) => wait.name === name) ?? [];
  // A message with a scope is an approval, which a job must not give.
  if (alike.some(({ scope }) => scope !== undefined)) refuseJobs(sender);
  const fitting = alike.find(
    ({ keyed = false, schema = {} }) => keyed === (key !== undefined) && hasNoProblem(schema, body),
  );
  const message =
    waits === undefined
      ? { name: stepKey(name, key), body: JSON.stringify(body), ...(once !== undefined && { once }) }
      : writtenMessage({ waits: fitting === undefined ? waits : [fitting] }, { name, key, body, once });
  const isNew = isNewMessage(await queue.kept.send(record.id, record.tool, message));
  const sent = { "job-id": record.id, message: name, ...(key !== undefined && { key }), status: "sent" };
  exchange.json(isNew ? 202 : 200, sent, ["Cache-Control", "no-store"]);
}

/** The messages that the tools of a definition wait for; undefined if it lists no tools. */
function waitsOf({ tools }: Readonly<Record<string, unknown>>): readonly WaitDefinition[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  return (tools as readonly unknown[]).flatMap((tool) => {
    const waits = isObject(tool) ? tool["waits"] : undefined;
    return Array.isArray(waits) ? (waits as readonly unknown[]).flatMap(waitOf) : [];
  });
}

function waitOf(wait: unknown): readonly WaitDefinition[] {
  if (!isObject(wait) || typeof wait["name"] !== "string") return [];
  const { name, keyed, scope, "message-schema": schema } = wait;
  return [
    {
      name,
      ...(keyed === true && { keyed }),
      ...(typeof scope === "string" && { scope }),
      ...(isObject(schema) && { schema: schema as JsonObject }),
    },
  ];
}
