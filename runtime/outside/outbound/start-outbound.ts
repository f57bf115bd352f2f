import { currentJob } from "../../job/current-job.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { installOutbound } from "./install-outbound.ts";
import type { OutboundPolicy } from "../../service/config/outbound-policy.ts";

/**
 * Applies the outbound policy to the requests of this thread's jobs. Call it before the first job begins. Returns a
 * function that removes the policy.
 */
export function startOutbound(policy: OutboundPolicy): () => void {
  return installOutbound({ job: () => currentJob.getStore(), policy, warn: (text) => getLogger("tenon").warn(text) });
}
