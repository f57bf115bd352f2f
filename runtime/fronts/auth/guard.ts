import type { Served } from "../../service/served.ts";
import type { AuthConfig } from "../../service/config/auth-config.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import type { Gate } from "../http/gate.ts";
import { cardPaths } from "../http/card-paths.ts";
import { createConsoleAccess } from "./console-access.ts";
import { createGate } from "./gate.ts";
import { resourceMetadata } from "./resource-metadata.ts";

/** All parts of authorisation; loaded only if callers are authenticated. */
export interface Guard {
  /** Creates the gate before a service's routes. Cached tokens and keys survive a reload. */
  gate(served: Pick<Served, "service" | "tools" | "offers">): Gate;
  /** Address at which the console signs in. */
  readonly consoleAccess: () => Promise<ConsoleAccess>;
}

/**
 * @param open Paths that need no token
 * @param mcpPath Path of the MCP endpoint
 */
export function createGuard(auth: AuthConfig, open: ReadonlySet<string>, mcpPath: string): Guard {
  const authenticator = createAuthenticator(auth);
  return {
    consoleAccess: createConsoleAccess(auth),
    gate({ service, tools, offers = [] }) {
      const { cards, catalog } = cardPaths(mcpPath);
      const metadata = resourceMetadata({ auth, name: service.name, tools: [...tools, ...offers], mcpPath });
      return createGate({ authenticator, metadata, open: new Set([...open, ...cards, catalog]), tools });
    },
  };
}
