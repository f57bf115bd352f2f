import { createHash } from "node:crypto";
import { ToolError } from "../../../base/errors.ts";
import { withoutBrackets } from "../../../base/loopback.ts";
import { mcpNameKey } from "../../../contract/mcp-name-key.ts";
import type { Service } from "../../../service/service.ts";
import type { Answer } from "../../http/answer.ts";
import type { Exchange } from "../../http/exchange.ts";
import { cardPaths } from "../../http/card-paths.ts";
import { problemAnswer } from "../../http/problem.ts";
import { legacyRevisions, modernRevision } from "../plain/read-request.ts";

export interface ServerCardOptions {
  readonly service: Service;
  /** Version of the service, resolved. */
  readonly version: string;
  /** Public address of the service, from its settings for authentication; undefined without these. */
  readonly resource: string | undefined;
  readonly mcpPath: string;
  /** Prefix under which an application serves the service. */
  readonly base?: string | undefined;
}

/**
 * Answers with the server card of a service (SEP-2127), which describes the service and names its MCP endpoint, or with
 * the catalog that leads to the card. Both are public.
 */
export function answerCard(options: ServerCardOptions, exchange: Exchange): Answer {
  const { method, path } = exchange;
  if (method !== "GET" && method !== "HEAD") {
    const error = new ToolError("method-not-allowed", "Allowed here: GET, HEAD.");
    return problemAnswer(error, undefined, ["Allow", "GET, HEAD"]);
  }
  const endpoint = endpointOf(options, exchange);
  const isCatalog = path === cardPaths(options.mcpPath).catalog;
  const body = JSON.stringify(isCatalog ? catalogOf(options, endpoint) : cardOf(options, endpoint));
  const type = isCatalog ? "application/ai-catalog+json" : "application/mcp-server-card+json";
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = ["Content-Type", type, "Cache-Control", "public, max-age=3600", "ETag", tag, "Vary", "Host"];
  const isKnown =
    exchange
      .header("if-none-match")
      ?.split(",")
      .some((one) => one.trim().replace(/^W\//, "") === tag) === true;
  return isKnown ? { status: 304, headers, body: undefined } : { status: 200, headers, body };
}

/** Returns the address of the MCP endpoint; undefined if it is not configured and the request has no usable host. */
function endpointOf({ resource, mcpPath, base = "" }: ServerCardOptions, exchange: Exchange): URL | undefined {
  if (resource !== undefined) {
    const { origin, pathname } = new URL(resource);
    return new URL(pathname.endsWith(mcpPath) ? resource : `${origin}${base}${mcpPath}`);
  }
  const { host = "", scheme } = exchange;
  const protocol = exchange.header("x-forwarded-proto") ?? scheme;
  if (!/^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i.test(host)) return undefined;
  return URL.parse(`${protocol === "https" ? "https" : "http"}://${host}${base}${mcpPath}`) ?? undefined;
}

function cardOf({ service, version, ...options }: ServerCardOptions, endpoint: URL | undefined): object {
  const name = nameOf({ service, ...options }, endpoint);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name,
    title: shorten(service.name),
    description: shorten(service.description ?? service.name),
    version: version.slice(0, 255),
    ...(endpoint && {
      remotes: [
        {
          type: "streamable-http",
          url: endpoint.href,
          supportedProtocolVersions: [modernRevision, ...legacyRevisions],
        },
      ],
    }),
  };
}

function catalogOf(options: ServerCardOptions, endpoint: URL | undefined): object {
  const [namespace = "", name = ""] = nameOf(options, endpoint).split("/");
  const publisher = namespace.split(".").toReversed().join(".");
  const entry = {
    identifier: `urn:air:${publisher}:mcp:${name}`,
    type: "application/mcp-server-card+json",
    ...(endpoint === undefined ? { data: cardOf(options, endpoint) } : { url: `${endpoint.href}/server-card` }),
  };
  return { specVersion: "1.0", entries: [entry] };
}

/**
 * Returns the service's name in the MCP registry, if the package has one; else a name made from the reversed host name.
 */
function nameOf({ service }: Pick<ServerCardOptions, "service">, endpoint: URL | undefined): string {
  const known = (globalThis as { [mcpNameKey]?: string })[mcpNameKey];
  if (known !== undefined) return known;
  const host = withoutBrackets(endpoint?.hostname ?? "localhost");
  const isName = !/^[\d.]+$|:/.test(host);
  const slug = service.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${isName ? host.split(".").toReversed().join(".") : "localhost"}/${slug === "" ? "service" : slug}`.slice(
    0,
    200,
  );
}

/** Shortens a text to 100 characters, the maximum for texts of a card. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= 100 ? line : `${line.slice(0, 99).replace(/\s+\S*$/, "")}…`;
}
