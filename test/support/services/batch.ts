/** A batch service as a bundle would be: the tool of the observed wire sequence, and then the start call. */
import { existsSync } from "node:fs";
import {
  BinaryResult,
  loggingInit,
  Service,
  startBatchService,
  ValueError,
  type JobContext,
} from "../../../runtime/index.ts";
import { defineTool } from "../../../runtime/internal.ts";

loggingInit();

interface WorkRequest {
  readonly text: string;
  readonly err?: "value" | "system" | "exit" | "never";
  readonly kind?: "bin" | "str";
  readonly ms?: number;
  /** The event loop stands still until this file is there. */
  readonly block?: string;
  /** The job waits until this file is there. */
  readonly gate?: string;
  readonly events?: number;
}

async function work(request: WorkRequest, job: JobContext): Promise<unknown> {
  const { text, err, kind, ms, block, gate, events = 0 } = request;
  return job.report.step("work", { message: "starting", extra: 1 }, async (step) => {
    step.info({ progress: 50 });
    for (let n = 0; n < events; n++) step.info({ n });
    if (block !== undefined)
      while (!existsSync(block)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    if (ms !== undefined) await pause(ms, job.signal);
    if (gate !== undefined) await fileAt(gate, job.signal);
    if (err === "value") throw new ValueError("bad");
    if (err === "system") throw new TypeError("a secret detail");
    if (err === "exit") process.exit(7);
    if (err === "never") await new Promise(() => {});
    if (kind === "bin") return new BinaryResult("image/png", new Uint8Array([1, 2, 3]));
    if (kind === "str") return new BinaryResult("text/plain", "text");
    step.finished({ message: "done", loops: 3 });
    job.report.step("two", { msg: "empty" }, () => {});
    return new BinaryResult(
      "application/json",
      JSON.stringify({
        $schema: "urn:example:schema:b.1",
        output: text.toUpperCase(),
        auth: job.jobAuthorization ?? null,
      }),
    );
  });
}

async function fileAt(path: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(path)) await pause(10, signal);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

const schema = {
  type: "object",
  properties: {
    text: { type: "string" },
    err: { type: "string" },
    kind: { type: "string" },
    ms: { type: "number" },
    block: { type: "string" },
    gate: { type: "string" },
    events: { type: "number" },
  },
  required: ["text"],
};
defineTool(
  {
    name: "work",
    description: "Works.",
    signature: "work(text: string)",
    source: "src/work.ts:1",
    annotations: {},
    request: { schema },
    result: { kind: "binary" },
    mcp: { inputSchema: schema },
  },
  {
    author: work,
    call: (request, job) => work(request, job),
    isRequest: (wire) => typeof (wire as { text?: unknown } | null)?.text === "string",
  },
);
if (process.env["TEST_TOOLS"] === "two") {
  defineTool(
    {
      name: "other",
      description: "",
      signature: "",
      source: "src/other.ts:1",
      annotations: {},
      result: { kind: "json" },
      mcp: { inputSchema: {} },
    },
    { call: () => 1 },
  );
}

await startBatchService(
  new Service({ name: "Batch service", version: "1.2.3" }),
  process.env["TEST_TOOLS"] === "two" ? undefined : work,
);
