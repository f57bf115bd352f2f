import type { Service } from "../../../service/service.ts";
import type { McpServerInfo } from "../port/descriptors.ts";

/** Name and texts of a service, as clients show them to people. */
export function describeServer({ name, description }: Service, version: string): McpServerInfo {
  return { name, version, ...(description !== undefined && { description }) };
}
