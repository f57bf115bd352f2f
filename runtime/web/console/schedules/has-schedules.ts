import { recordsIn } from "../base/json.ts";
import type { ServiceInfo } from "../client/definition.ts";

/** True if a tool of a service has a schedule. */
export function hasSchedules(services: readonly ServiceInfo[]): boolean {
  return services.some(({ tools }) => tools.some(({ whole }) => recordsIn(whole, "schedules").length > 0));
}
