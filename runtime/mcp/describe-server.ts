import type { Service } from "../service.ts";
import type { McpServerInfo } from "./descriptors.ts";

/** Who a service is, as its clients show it to people. */
export function describeServer({ name, description }: Service, version: string): McpServerInfo {
  return { name, version, ...(description !== undefined && { description }) };
}
