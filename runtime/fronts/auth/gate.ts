import { pathsOf } from "../../service/tools/tool.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Gate } from "../http/gate.ts";
import type { Authenticator } from "./authenticator.ts";
import type { ResourceMetadata } from "./resource-metadata.ts";

export interface GateOptions {
  readonly authenticator: Authenticator;
  readonly metadata: ResourceMetadata;
  /** Paths that need no token. */
  readonly open: ReadonlySet<string>;
  /** Their scopes are part of the challenge for their paths. */
  readonly tools: readonly Tool[];
}

/** Creates a gate that requires a valid token, except for health routes and the metadata about tokens. */
export function createGate({ authenticator, metadata, open, tools }: GateOptions): Gate {
  const needs = new Map(
    tools.flatMap((tool) => pathsOf(tool).map((path) => [path, tool.definition.scopes ?? []] as const)),
  );
  return (head) => {
    const { method, path } = head;
    // An author may have put a tool on such a path.
    if (open.has(path) && !needs.has(path)) return {};
    if (metadata.paths.has(path)) return { answer: metadata.answer(method) };
    const caller = authenticator.authenticate(head.header("authorization"), needs.get(path));
    return caller instanceof Promise ? caller.then((found) => ({ caller: found })) : { caller };
  };
}
