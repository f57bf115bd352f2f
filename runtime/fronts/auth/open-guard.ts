import type { Config } from "../../service/config/config.ts";
import type { Served } from "../../service/served.ts";
import type { Guard } from "./guard.ts";

/**
 * Opens the guard of a service. Its code is loaded only if callers are authenticated.
 *
 * @param open Paths that need no token
 */
export async function openGuard(
  { tools, offers = [] }: Pick<Served, "tools" | "offers">,
  { auth, platformBaseUrl }: Pick<Config, "auth" | "platformBaseUrl">,
  open: ReadonlySet<string>,
  { mcpPath = "/mcp", base }: { readonly mcpPath?: string | undefined; readonly base?: string | undefined },
): Promise<Guard | undefined> {
  if (auth !== undefined) return (await import("./guard.ts")).createGuard(auth, open, mcpPath, base);
  const scoped = [...tools, ...offers].find(({ definition }) => definition.scopes !== undefined);
  // On the platform, the gateway checks callers and their scopes.
  if (scoped === undefined || platformBaseUrl !== undefined) return undefined;
  (await import("./warn-of-open-scopes.ts")).warnOfOpenScopes(scoped.name);
  return undefined;
}
