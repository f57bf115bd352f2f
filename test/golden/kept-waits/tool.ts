import type { JobContext, MessageOptions } from "tenon";
import { shared } from "./scopes.ts";

const approve = "orders:approve";
const held = { within: "1 day", scope: approve } as const;
const typed: MessageOptions = { scope: "orders:typed" };
declare const literal: { readonly scope: "orders:literal"; readonly key: string };
const scopes = { read: "orders:read" } as const;

/**
 * Waits for messages whose scopes are constants.
 * @tool
 */
export async function known(job: JobContext): Promise<void> {
  await job.wait<boolean>("constant", { scope: approve });
  await job.wait<boolean>("member", { scope: scopes.read, key: approve });
  await job.wait<boolean>("held", held);
  await job.wait<boolean>("typed", typed);
  await job.wait<boolean>("literal", literal);
  await job.wait<boolean>("spread", { within: "2 days", ...shared });
  await job.wait<boolean>("first", { scope: "orders:first", ...typed, ...held });
  await job.wait<boolean>("none", { ...shared, scope: undefined });
}
