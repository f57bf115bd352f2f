import type { Answer } from "../http/answer.ts";
import { problemAnswer } from "../http/problem.ts";
import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { AuthConfig } from "../../service/config/auth-config.ts";
import { metadataPath } from "./challenge.ts";

export interface ResourceMetadataOptions {
  readonly auth: AuthConfig;
  /** Name of the service, for people. */
  readonly name: string;
  /** All functions that may have scopes: tools, prompts, resources. */
  readonly tools: readonly Tool[];
  /** Path of the MCP endpoint. */
  readonly mcpPath: string;
}

/**
 * Metadata of a protected resource (RFC 9728), by which clients of this service find out where to get tokens, and with
 * which scopes.
 */
export interface ResourceMetadata {
  /** Paths of the document: without and with the path of the resource. */
  readonly paths: ReadonlySet<string>;
  answer(method: string): Answer;
}

/** Makes the document and its paths. */
export function resourceMetadata({ auth, name, tools, mcpPath }: ResourceMetadataOptions): ResourceMetadata {
  const scopes = [...new Set([...auth.scopes, ...tools.flatMap(({ definition }) => definition.scopes ?? [])])];
  const body = JSON.stringify({
    resource: auth.resource,
    authorization_servers: [auth.issuer],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    resource_name: name,
  });
  return {
    paths: metadataPaths(auth, mcpPath),
    answer(method) {
      if (method !== "GET" && method !== "HEAD") {
        const error = new ToolError("method-not-allowed", "Allowed here: GET, HEAD.");
        return problemAnswer(error, undefined, ["Allow", "GET, HEAD"]);
      }
      return { status: 200, headers: ["Content-Type", "application/json", "Cache-Control", "max-age=300"], body };
    },
  };
}

/** Returns the paths of the document: for the whole server, and with the resource's own path. */
export function metadataPaths({ resource }: Pick<AuthConfig, "resource">, mcpPath: string): ReadonlySet<string> {
  const { pathname } = new URL(resource);
  const own = pathname === "/" ? [] : [`${metadataPath}${pathname}`];
  return new Set([metadataPath, `${metadataPath}${mcpPath}`, ...own]);
}
