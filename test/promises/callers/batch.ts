import { randomUUID } from "node:crypto";
import type { Exchange, FakeSidecar } from "../../support/fake-sidecar.ts";
import { CallError, type ErrorKind, type Problem } from "../../../runtime/client/index.ts";
import type { WireResult } from "../../../runtime/client/transport.ts";
import { calledBy, type Called, type Caller, type PreparedCall } from "./caller.ts";

/** Gives jobs to a batch worker by its sidecar. @param sidecarOf Starts the worker of a tool, once */
export function batchCaller(sidecarOf: (tool: string) => Promise<FakeSidecar>): Caller {
  return {
    call: async (call) => callBatch(await sidecarOf(call.call), call),
    close: async () => {},
  };
}

async function callBatch(sidecar: FakeSidecar, call: PreparedCall): Promise<Called> {
  const { request = {}, traceparent, how = "waits", running } = call;
  const jobId = `urn:platform:job:${randomUUID()}`;
  const token = "Bearer token-of-the-job";
  sidecar.add({ id: jobId, content: request, token, ...(traceparent !== undefined && { headers: { traceparent } }) });
  const events = (): readonly unknown[] =>
    sidecar
      .taken("event")
      .filter(({ id }) => id === jobId)
      .map(({ body }) => body);
  if (how === "cancels" || how === "leaves" || how === "runs") {
    await running();
    if (how === "runs") return { jobId };
    const told = Promise.withResolvers<void>();
    sidecar.answer("lease", ({ id }) => {
      if (id !== jobId) return undefined;
      told.resolve();
      return { status: 200, body: { cancel: "Its submitter has cancelled it." } };
    });
    await told.promise;
    return { jobId, events: events(), failure: { kind: "cancelled", message: "" } };
  }
  const resultOf = (): Exchange | undefined => sidecar.taken("result").find(({ id }) => id === jobId);
  await sidecar.until(() => resultOf() !== undefined);
  const result = resultOf();
  return { jobId, events: events(), ...(await calledBy(() => readParcel(result))) };
}

interface ErrorBody {
  readonly type: string;
  readonly error: string;
  readonly errors?: readonly Problem[];
}

/** The platform is told classes of errors, in place of their kinds. */
const kinds: Readonly<Record<string, ErrorKind>> = {
  ValidationError: "validation",
  ValueError: "user-input",
  Error: "system",
  TypeError: "system",
};

/** The result that a worker has sent. */
function readParcel(result: Exchange | undefined): WireResult {
  const { headers = {}, body, bytes = Buffer.alloc(0) } = result ?? {};
  if (headers["is-error"] === "true") {
    const { type, error, errors } = body as ErrorBody;
    throw new CallError(kinds[type] ?? (type as ErrorKind), error, errors === undefined ? {} : { problems: errors });
  }
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/json")) return { kind: "json", value: body };
  if (type.startsWith("text/plain")) return { kind: "text", text: bytes.toString() };
  return { kind: "blob", blob: new Blob([bytes], { type }) };
}
