import { AsyncLocalStorage } from "node:async_hooks";

/** A job of the harness: everything about it follows from its number, so that the server can check it. */
export interface HarnessJob {
  readonly number: number;
  readonly id: string;
  readonly authorization: string;
  readonly traceparent: string;
  readonly tracestate: undefined;
}

export function makeJob(number: number): HarnessJob {
  const hex = number.toString(16).padStart(8, "0");
  return {
    number,
    id: `urn:platform:job:00000000-0000-7000-8000-${hex.padStart(12, "0")}`,
    authorization: `Bearer token-${number}`,
    traceparent: `00-${hex.padStart(32, "a")}-${hex.padStart(16, "b")}-01`,
    tracestate: undefined,
  };
}

export const jobs: AsyncLocalStorage<HarnessJob> = new AsyncLocalStorage();
