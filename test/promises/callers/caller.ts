import { isCallError } from "../../../runtime/client/index.ts";
import type { WireResult } from "../../../runtime/client/transport.ts";
import type { CallStep } from "../promise.ts";

/** Outcome of a call in the form that all protocols have in common. */
export interface Called {
  readonly jobId?: string | undefined;
  readonly value?: unknown;
  readonly bytes?: { readonly type: string; readonly base64: string };
  readonly failure?: {
    readonly kind: string;
    readonly message: string;
    readonly problems?: unknown;
  };
  /** Events that the job has reported. */
  readonly events?: readonly unknown[] | undefined;
  /** Of the answer over HTTP. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call with everything that the runner fills in. */
export interface PreparedCall extends CallStep {
  readonly token?: string | undefined;
  /** Resolves when the tool has said that it runs. */
  readonly running: () => Promise<void>;
}

/** A way to call tools. */
export interface Caller {
  call(call: PreparedCall): Promise<Called>;
  /** Another request of the protocol; undefined where it has no others. */
  ask?(
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
    token: string | undefined,
  ): Promise<unknown>;
  close(): Promise<void>;
}

/** A result as it came, or the failure that reading it has thrown. */
export async function calledBy(read: () => WireResult | Promise<WireResult>): Promise<Called> {
  try {
    const result = await read();
    if (result.kind === "json") return { value: result.value };
    if (result.kind === "text") return { value: result.text };
    const base64 = Buffer.from(await result.blob.arrayBuffer()).toString("base64");
    return { bytes: { type: result.blob.type, base64 } };
  } catch (error) {
    if (!isCallError(error)) throw error;
    const problems = error.kind === "validation" ? error.problems : undefined;
    const jobId = "jobId" in error ? error.jobId : undefined;
    return { failure: { kind: error.kind, message: error.message, problems }, ...(jobId !== undefined && { jobId }) };
  }
}
