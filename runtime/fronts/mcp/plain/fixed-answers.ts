import type { JsonObject } from "../../../contract/contract.ts";
import { serverCapabilities, showsViews, type McpParts } from "../port/capabilities.ts";
import type { McpToolDescriptor } from "../port/descriptors.ts";
import type { McpCatalogue, Scopes } from "../port/port.ts";
import { legacyRevisions, modernRevision, type PlainRequest } from "./read-request.ts";

/** Number of cached sets of visible tools; the oldest is dropped. */
const mostSets = 100;

/**
 * Cache of constant answers: `tools/list`, `server/discover`, `initialize`, `ping`. Each is made once, as the bytes
 * after the request's id.
 */
export class FixedAnswers {
  readonly #port: McpCatalogue & McpParts;
  readonly #known = new Map<string, Buffer | undefined>();

  constructor(port: McpCatalogue & McpParts) {
    this.#port = port;
  }

  /** Returns the bytes of an answer after its id; undefined when the MCP SDK must make it. */
  of(request: PlainRequest, scopes: Scopes | undefined): Buffer | undefined {
    switch (request.method) {
      case "tools/list":
        return this.#tools(request, scopes);
      case "server/discover":
        return this.#once("discover", () => ({ ...this.#discover(), ...this.#modern() }));
      case "initialize":
        return this.#initialize(request.revision);
      case "ping":
        return this.#once("ping", () => ({}));
      case "tools/call":
        return undefined;
    }
  }

  #tools({ era, capabilities }: PlainRequest, scopes: Scopes | undefined): Buffer | undefined {
    const views = this.#port.hasViews === true && showsViews(capabilities) ? " with views" : "";
    const key = `${era}${views} ${this.#visible(scopes)}`;
    return this.#once(key, () => {
      const page = this.#port.listTools(undefined, scopes, capabilities);
      if (era === "modern") return { ...page, ...this.#modern() };
      // A page with schemas that are not objects is left to the MCP SDK, which wraps them: older clients support only
      // object schemas.
      return page.tools.every(hasObjectOutput) ? { ...page } : undefined;
    });
  }

  /** Returns the key of the set of tools that a caller sees. If lists are public, it is the same for all callers. */
  #visible(scopes: Scopes | undefined): string {
    if (scopes === undefined || this.#port.listScope === "public") return "all";
    return JSON.stringify(this.#port.listTools(undefined, scopes).tools.map(({ name }) => name));
  }

  #discover(): object {
    return {
      supportedVersions: [modernRevision],
      capabilities: serverCapabilities(this.#port, "modern"),
      ...this.#instructions(),
    };
  }

  #initialize(asked = ""): Buffer | undefined {
    const protocolVersion = legacyRevisions.includes(asked) ? asked : legacyRevisions[0];
    return this.#once(`initialize ${protocolVersion}`, () => ({
      protocolVersion,
      capabilities: serverCapabilities(this.#port, "legacy"),
      serverInfo: this.#port.info,
      ...this.#instructions(),
    }));
  }

  #instructions(): { readonly instructions?: string } {
    const { instructions } = this.#port;
    return instructions === undefined || instructions === "" ? {} : { instructions };
  }

  /** Returns the common members of every result in the newest revision. */
  #modern(): object {
    const { info, toolsTtl, listScope } = this.#port;
    return {
      ttlMs: toolsTtl,
      cacheScope: listScope,
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": info },
    };
  }

  #once(key: string, make: () => object | undefined): Buffer | undefined {
    const known = this.#known.get(key);
    if (known !== undefined || this.#known.has(key)) return known;
    const result = make();
    const bytes = result === undefined ? undefined : Buffer.from(resultTail(JSON.stringify(result)));
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostSets && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, bytes);
    return bytes;
  }
}

function hasObjectOutput({ outputSchema }: McpToolDescriptor): boolean {
  return outputSchema === undefined || (outputSchema satisfies JsonObject)["type"] === "object";
}

/** The part of an answer after the id, for a result. */
export function resultTail(json: string): string {
  return `,"result":${json}}`;
}
