import type { ServerResponse } from "node:http";
import { writeAnswer } from "../http/answer.ts";
import { problemAnswer } from "../http/problem.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Gate } from "../http/caller.ts";
import type { ResourceMetadata } from "./resource-metadata.ts";

export interface GateOptions {
  readonly authenticator: Authenticator;
  readonly metadata: ResourceMetadata;
  /** Paths that need no token. */
  readonly open: ReadonlySet<string>;
  /** Their scopes stand in the challenge of their paths. */
  readonly tools: readonly Tool[];
}

/** Lets nobody in without a valid token, but to health routes and the metadata that says where tokens come from. */
export function createGate({ authenticator, metadata, open, tools }: GateOptions): Gate {
  const needs = new Map(tools.map(({ path, definition }) => [path, definition.scopes ?? []]));
  return (request, response, path, next) => {
    if (open.has(path)) {
      next(request, response, path);
      return;
    }
    if (metadata.paths.has(path)) {
      writeAnswer(response, metadata.answer(request.method ?? "GET"));
      return;
    }
    const caller = authenticator.authenticate(request.headers.authorization, needs.get(path));
    if (!(caller instanceof Promise)) {
      next(request, response, path, caller);
      return;
    }
    caller
      .then((found) => {
        // Handlers learn that a client has gone from an event that has passed.
        if (!request.socket.destroyed) next(request, response, path, found);
      })
      .catch((thrown: unknown) => refuse(response, thrown));
  };
}

function refuse(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) response.destroy();
  else writeAnswer(response, problemAnswer(thrown));
}
