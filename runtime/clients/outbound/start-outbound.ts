import { currentJob } from "../../job/current-job.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { installOutbound } from "./install-outbound.ts";
import type { OutboundPolicy } from "../../service/config/outbound-policy.ts";

/**
 * Lets the outbound requests of this thread's jobs carry what the policy says. Call it before the first job begins.
 * Returns the removal.
 */
export function startOutbound(policy: OutboundPolicy): () => void {
  return installOutbound({ job: () => currentJob.getStore(), policy, warn: (text) => getLogger("tenon").warn(text) });
}
