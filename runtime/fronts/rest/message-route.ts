import { ToolError } from "../../base/errors.ts";
import type { WaitDefinition } from "../../contract/contract.ts";
import { maxStepBytes } from "../../job/steps/kept-step.ts";
import { parseJobId } from "../../job/job-id.ts";
import type { Executor } from "../../executor/executor.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { Caller } from "../http/identity.ts";
import type { Exchange } from "../http/exchange.ts";
import { forkStep } from "../http/fork-step.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { checkJsonHeaders } from "../http/read-body.ts";
import { readCallHeaders } from "./call-headers.ts";

/** Answers `POST /jobs/{id}/messages/{name}`: 202, or 200 for a message that was sent before. */
export async function answerMessage(
  executor: Executor,
  waits: readonly WaitDefinition[],
  {
    exchange,
    caller,
    id: text,
  }: { readonly exchange: Exchange; readonly caller: Caller | undefined; readonly id: string },
): Promise<Answer> {
  checkJsonHeaders(exchange);
  const { idempotencyKey } = readCallHeaders(exchange, 0);
  const body = await bodyOf(exchange, maxStepBytes);
  const id = parseJobId(text);
  if (id === undefined) throw new ToolError("not-found", "The job does not exist, or has expired.");
  const key = new URLSearchParams(exchange.query).get("key") ?? undefined;
  // The raw path is compared, as for all routes. Another name is refused with the names that the job's tool has.
  const raw = exchange.path.slice(exchange.path.lastIndexOf("/") + 1);
  const name = waits.find((wait) => encodeURIComponent(wait.name) === raw)?.name ?? raw;
  const message = { id, name, key, body: parseJsonBody(body), once: idempotencyKey };
  const isNew = await executor.send(message, caller && senderOf(caller));
  const told = { "job-id": id, message: name, ...(key !== undefined && { key }), status: "sent" };
  return jsonAnswer(told, isNew ? 202 : 200, ["job-id", id, "Cache-Control", "no-store"]);
}

/** Reads the name of the step from the body of a fork request. */
export async function readFork(exchange: Exchange): Promise<string | undefined> {
  const body = await bodyOf(exchange, maxForkBytes);
  if (body.length > 0) checkJsonHeaders(exchange);
  return forkStep(body);
}

function senderOf(caller: Caller): NonNullable<Parameters<Executor["send"]>[1]> {
  return {
    owner: caller.owner,
    subject: caller.identity.subject,
    require: (scopes) => caller.require(scopes),
  };
}

/** Maximum length of the body of a fork request, which contains the name of a step. */
const maxForkBytes = 16_384;

function bodyOf(exchange: Exchange, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    exchange.body(limit, (refused, body) => (refused === undefined ? resolve(body) : reject(refused)));
  });
}
