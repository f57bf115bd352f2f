import type { Served } from "../../service/served.ts";
import { createAuthenticator, type Authenticator } from "./authenticator.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import type { Gate } from "../http/exchange.ts";
import { cardPaths } from "../http/card-paths.ts";
import { resourceMetadata, type ResourceMetadata } from "./resource-metadata.ts";
import { pathsOf, type Tool } from "../../service/tools/tool.ts";
import { isSafeAddress, type AuthConfig } from "../../service/config/auth-config.ts";
import { addressIn, fetchJson, findInMetadata, type FetchJson, type IssuerDocument } from "./issuer-document.ts";

/** Milliseconds until metadata that could not be read is fetched again. */
const retryAfter = 30_000;

/**
 * Creates a function that finds the origins at which the console page may sign in: those of the issuer and of the
 * addresses in its metadata. If the metadata cannot be read, returns only the issuer's origin, and the page shows the
 * problem.
 */
function createConsoleAccess(
  { issuer, clientId }: Pick<AuthConfig, "issuer" | "clientId">,
  fetchDocument: FetchJson = fetchJson,
): () => Promise<ConsoleAccess> {
  const own = new URL(issuer).origin;
  let known: Promise<readonly string[]> | undefined;
  const look = async (): Promise<readonly string[]> => {
    const asked = Date.now();
    try {
      return await findInMetadata(issuer, fetchDocument, originsIn, "names no addresses");
    } catch {
      // The result is cached even after a failure: the page is public, and opening it must not cause a request to the
      // issuer each time.
      setTimeout(() => (known = undefined), Math.max(0, asked + retryAfter - Date.now())).unref();
      return [];
    }
  };
  return async () => ({ clientId, origins: [...new Set([own, ...(await (known ??= look()))])] });
}

function originsIn(document: IssuerDocument): readonly string[] {
  const addresses = ["token_endpoint", "registration_endpoint"].map((key) => addressIn(document, key));
  return addresses.flatMap((address) => (address !== undefined && isSafeAddress(address) ? [address.origin] : []));
}

/** All parts of authorisation; loaded only if callers must be authenticated. */
export interface Guard {
  /** Creates the check that runs before all routes of a service. Cached tokens and keys survive a reload. */
  gate(served: Pick<Served, "service" | "tools" | "offers">): Gate;
  /** Access of the console page to the authorisation server. */
  readonly consoleAccess: () => Promise<ConsoleAccess>;
}

/**
 * @param open Paths that need no token
 * @param mcpPath Path of the MCP endpoint
 * @param base Path under which a host serves all routes; default none
 */
export function createGuard(auth: AuthConfig, open: ReadonlySet<string>, mcpPath: string, base?: string): Guard {
  const authenticator = createAuthenticator(auth, { base });
  return {
    consoleAccess: createConsoleAccess(auth),
    gate({ service, tools, offers = [] }) {
      const { cards, catalog } = cardPaths(mcpPath);
      const metadata = resourceMetadata({ auth, name: service.name, tools: [...tools, ...offers], mcpPath });
      return createGate({ authenticator, metadata, open: new Set([...open, ...cards, catalog]), tools });
    },
  };
}

interface GateOptions {
  readonly authenticator: Authenticator;
  readonly metadata: ResourceMetadata;
  /** Paths that need no token. */
  readonly open: ReadonlySet<string>;
  /** Tools by path: a challenge for a path names the scopes of its tool. */
  readonly tools: readonly Tool[];
}

/** Creates a check that requires a valid token, except for health routes and the metadata about tokens. */
function createGate({ authenticator, metadata, open, tools }: GateOptions): Gate {
  const needs = new Map(
    tools.flatMap((tool) => pathsOf(tool).map((path) => [path, tool.definition.scopes ?? []] as const)),
  );
  return (head) => {
    const { method, path } = head;
    // An open path still needs a token if the author has given it to a tool with scopes.
    if (open.has(path) && !needs.has(path)) return {};
    if (metadata.paths.has(path)) return { answer: metadata.answer(method) };
    const caller = authenticator.authenticate(head.header("authorization"), needs.get(path));
    return caller instanceof Promise ? caller.then((found) => ({ caller: found })) : { caller };
  };
}
