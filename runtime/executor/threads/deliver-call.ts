import { devHostKey } from "../../contract/process-keys.ts";
import type { NotedCall } from "../../telemetry/watch-calls.ts";
import type { FromThread } from "./messages.ts";

/** The part of `tenon dev` that notes calls. */
interface CallHost {
  readonly call?: (job: string, call: NotedCall, key: string) => void;
}

/** Passes an outbound request or a span of a thread to `tenon dev`. */
export function deliverCall({ job, call, key }: FromThread & { readonly kind: "call" }): void {
  const host = Reflect.get(globalThis, devHostKey) as CallHost | undefined;
  host?.call?.(job, call, key);
}
