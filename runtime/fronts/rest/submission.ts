import type { HttpCall } from "../../job/http-call.ts";
import type { Submission } from "../../job/job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Caller } from "../http/caller.ts";
import type { CallHeaders } from "./call-headers.ts";

/** The parts of a call beside its input and its headers. */
export interface Sender {
  /** The platform's token of the job. */
  readonly authorization: string | undefined;
  readonly caller: Caller | undefined;
  readonly body: Buffer;
  readonly http: HttpCall | undefined;
}

/** A call of a tool as the executor takes it. */
export function submission(
  tool: Tool,
  input: unknown,
  { id, idempotencyKey, traceparent, tracestate, baggage }: CallHeaders,
  { authorization, caller, body, http }: Sender,
): Submission {
  return {
    tool,
    input,
    id,
    idempotency: idempotencyKey === undefined ? undefined : { key: idempotencyKey, digest: digestOf(tool, body) },
    authorization,
    owner: caller?.owner,
    caller: caller?.identity,
    traceparent,
    tracestate: traceparent === undefined ? undefined : tracestate,
    baggage,
    http,
  };
}

function digestOf(tool: Tool, body: Buffer): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(`${tool.name}\n`).update(body).digest("base64url");
}
