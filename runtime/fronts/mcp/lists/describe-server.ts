import type { Service } from "../../../service/service.ts";
import type { McpServerInfo } from "../port/descriptors.ts";

/** Who a service is, as its clients show it to people. */
export function describeServer({ name, description }: Service, version: string): McpServerInfo {
  return { name, version, ...(description !== undefined && { description }) };
}
