import type { Executor } from "../executor/executor.ts";
import type { McpMount, McpMountOptions } from "../fronts/http/front-door.ts";
import { mountMcp } from "../fronts/mcp/http/mount-mcp.ts";
import type { Config } from "../service/config/config.ts";
import type { Served } from "../service/served.ts";
import type { Workplace } from "./open-workplace.ts";

/**
 * The MCP front of a build; loaded only where it is asked for.
 *
 * @param mounted That of an earlier build, which is kept so that its clients stay connected.
 */
export function openMcp(
  { service, version, tools, offers, mayChange }: Served,
  executor: Executor,
  config: Config,
  { delivery, telemetry }: Pick<Workplace, "delivery" | "telemetry">,
  mounted: McpMount | undefined,
): McpMount {
  const mount: McpMountOptions = {
    service,
    version,
    tools,
    offers,
    executor,
    config,
    bodyLimit: config.limits.body,
    delivery,
    calls: telemetry.calls,
    mayChange,
  };
  if (mounted === undefined) return mountMcp(mount);
  mounted.replace(mount);
  return mounted;
}
