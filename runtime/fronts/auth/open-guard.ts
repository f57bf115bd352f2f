import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { Guard } from "./guard.ts";

/**
 * Opens the guard of a service. Its code is loaded only if callers are authenticated.
 *
 * @param open Paths that need no token
 * @param mcpPath Path of the MCP endpoint
 */
export async function openGuard(
  { tools, offers = [] }: Pick<Served, "tools" | "offers">,
  { auth, platformBaseUrl }: Pick<Config, "auth" | "platformBaseUrl">,
  open: ReadonlySet<string>,
  mcpPath = "/mcp",
): Promise<Guard | undefined> {
  if (auth !== undefined) return (await import("./guard.ts")).createGuard(auth, open, mcpPath);
  const scoped = [...tools, ...offers].find(({ definition }) => definition.scopes !== undefined);
  // On the platform, the gateway checks callers and their scopes.
  if (scoped === undefined || platformBaseUrl !== undefined) return undefined;
  getLogger("tenon").warn(
    `${scoped.name} has a @scope, but callers are not authenticated, so that everybody may call it. ` +
      "Set TENON_AUTH_ISSUER and TENON_AUTH_AUDIENCE.",
  );
  return undefined;
}
