import { retryAfter } from "./back-off.ts";
import { SidecarError, type SidecarAnswer, type SidecarClient, type SidecarRequest } from "./sidecar-client.ts";

/**
 * Verdict on a call. `accepted`: 2xx. `stale`: this attempt no longer holds the job. `refused`: another 4xx, or a
 * redirect; without an answer, Node cannot send the request. `failed`: worth a retry; `reachable`: a server was
 * connected, `answered`: it sent an answer, possibly an unreadable one. `aborted`: this process cancelled the call.
 */
export type Verdict =
  | { readonly kind: "accepted"; readonly answer: SidecarAnswer }
  | { readonly kind: "stale"; readonly answer: SidecarAnswer; readonly reason: string }
  | { readonly kind: "refused"; readonly answer?: SidecarAnswer; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly reachable: boolean;
      readonly answered?: boolean;
      readonly retryAfter?: number | undefined;
    }
  | { readonly kind: "aborted" };

const again: ReadonlySet<number> = new Set([408, 425, 429]);

/** Sends a request and judges the answer. Never rejects. */
export async function call(client: SidecarClient, request: SidecarRequest): Promise<Verdict> {
  try {
    return judge(await client.send(request));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Node cannot send the request, for example because of a header in an edited file, and a retry would not help.
    if (!(error instanceof SidecarError)) return { kind: "refused", reason };
    const { fault } = error;
    if (fault === "aborted") return { kind: "aborted" };
    return { kind: "failed", reason, reachable: fault !== "unreachable", answered: fault === "too-large" };
  }
}

/** Judges an answer by its status. */
export function judge(answer: SidecarAnswer): Verdict {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) {
    // An HTML page of a proxy or captive portal does not count as an answer of the sidecar.
    if (!/^text\/html\b/i.test(headers["content-type"] ?? "")) return { kind: "accepted", answer };
    return {
      kind: "failed",
      reason: "the answer is a web page, so it is not the sidecar's",
      reachable: true,
      answered: true,
    };
  }
  const reason = `the sidecar answered ${status}`;
  if (status === 409 || status === 410) return { kind: "stale", answer, reason };
  if (status >= 500 || again.has(status)) {
    return { kind: "failed", reason, reachable: true, retryAfter: retryAfter(headers["retry-after"]) };
  }
  return { kind: "refused", answer, reason };
}
