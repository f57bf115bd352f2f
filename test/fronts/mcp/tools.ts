import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { ValueError } from "../../../runtime/base/errors.ts";
import type { Tool } from "../../../runtime/service/tools/tool.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";

/** Deeds of the tools below, for tests that look behind the protocol. */
export interface ToolWitness {
  readonly aborted: unknown[];
  readonly started: PromiseWithResolvers<void>;
  /** Calls that wait until a test opens their gate. */
  readonly gates: Map<string, PromiseWithResolvers<void>>;
  readonly contexts: { readonly jobId: string; readonly authorization: unknown }[];
}

export function createWitness(): ToolWitness {
  return { aborted: [], started: deferred(), gates: new Map(), contexts: [] };
}

function gateOf(witness: ToolWitness, name: string): PromiseWithResolvers<void> {
  const gate = witness.gates.get(name) ?? deferred();
  witness.gates.set(name, gate);
  return gate;
}

const object = (properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)): never =>
  ({ type: "object", properties, required }) as never;

const numberRequest = object({ number: { type: "integer", minimum: 0 } });
const primeResult = object({ number: { type: "integer" }, isPrime: { type: "boolean" } });

/** Hand-built tools, one per kind of answer. */
export function createTools(witness: ToolWitness): readonly Tool[] {
  return [
    fakeTool(({ number }: { number: number }) => ({ number, isPrime: number === 7 }), {
      name: "isPrime",
      description: "Tests whether a number is prime.",
      request: numberRequest,
      result: primeResult,
      definition: {
        title: "Prime test",
        annotations: { readOnlyHint: true, idempotentHint: true },
        icon: "data:image/png;base64,AAAA",
        mcp: {
          inputSchema: numberRequest,
          outputSchema: primeResult,
          _meta: { "platform/request-schema": "urn:example:schema.x.1" },
        },
      },
    }),
    fakeTool(({ text = "" }: { text?: string }) => text, { name: "echo", resultKind: "text" }),
    fakeTool(() => [1, 2, 3], {
      name: "list",
      request: null,
      definition: {
        mcp: {
          inputSchema: { type: "object", additionalProperties: false },
          outputSchema: object({ result: { type: "array", items: { type: "integer" } } }),
          wrapped: true,
        },
      },
    }),
    fakeTool(() => undefined, { name: "nothing", request: null, resultKind: "none" }),
    fakeTool(({ a }: { a: number }) => ({ ok: true, long: Array.from({ length: 300 }, () => a) }), {
      name: "summary",
      request: object({ a: { type: "number" } }),
      options: { text: "summary" },
    }),
    fakeTool(() => ({ ok: true }), { name: "silent", request: null, options: { text: "none" } }),
    fakeTool(
      ({ kind }: { kind: string }) => {
        throw kind === "user"
          ? new ValueError("The number is too large for this planet.")
          : new Error("secret-canary at /etc/passwd");
      },
      { name: "fail", request: object({ kind: { type: "string", enum: ["user", "system"] } }) },
    ),
    fakeTool(
      async (request: { steps: number; text?: string; gate?: string }, job: JobContext) => {
        for (let step = 1; step <= request.steps; step++) {
          await job.report.step(`step ${step}`, { message: request.text ?? `Step ${step} begins` }, async () => {});
        }
        if (request.gate !== undefined) await gateOf(witness, request.gate).promise;
        return { steps: request.steps };
      },
      {
        name: "steps",
        request: object({ steps: { type: "integer" }, text: { type: "string" }, gate: { type: "string" } }, ["steps"]),
      },
    ),
    fakeTool(({ gate }: { gate: string }) => gateOf(witness, gate).resolve(), {
      name: "open",
      request: object({ gate: { type: "string" } }),
      resultKind: "none",
    }),
    fakeTool(
      (_: unknown, job: JobContext) =>
        new Promise((resolve) => {
          job.signal.addEventListener("abort", () => {
            witness.aborted.push(job.signal.reason);
            resolve(null);
          });
          job.report.step("wait", { message: "Waiting" });
          witness.started.resolve();
        }),
      { name: "wait" },
    ),
    fakeTool(
      (_: unknown, job: JobContext) => {
        witness.contexts.push({ jobId: job.jobId, authorization: job.jobAuthorization });
        return { jobId: job.jobId };
      },
      { name: "context" },
    ),
    fakeTool(
      ({ type, text }: { type: string; text?: string }) =>
        new BinaryResult(type, text ?? new Uint8Array([1, 2, 3, 255])),
      {
        name: "binary",
        resultKind: "binary",
        request: object({ type: { type: "string" }, text: { type: "string" } }, ["type"]),
      },
    ),
    fakeTool(() => new Uint8Array([1, 2, 3]), { name: "bytes", request: null, resultKind: "bytes" }),
    fakeTool(
      ({ fail, size = 3 }: { fail?: boolean; size?: number }) =>
        new BinaryResult(
          "application/pdf",
          (async function* () {
            yield new Uint8Array(size);
            if (fail === true) throw new Error("secret-canary");
          })(),
        ),
      {
        name: "stream",
        resultKind: "binary",
        request: object({ fail: { type: "boolean" }, size: { type: "integer" } }, []),
      },
    ),
    fakeTool((request: object) => request, {
      name: "routed",
      request: object({ region: { type: "string" } }),
      definition: { mcp: { inputSchema: object({ region: { type: "string", "x-mcp-header": "Region" } }) } },
    }),
    fakeTool(
      () => {
        console.log("noise on the console");
        process.stdout.write("noise on standard output\n");
        return { quiet: true };
      },
      { name: "noisy" },
    ),
  ];
}
