import { randomUUID } from "node:crypto";
import { apiPath, jsonOf, type PlatformApi, type Query } from "./sidecar/platform-api.ts";
import { listPages } from "./sidecar/list-pages.ts";
import { PlatformError } from "./sidecar/platform-errors.ts";

/** The platform's record of an aspect. */
export interface AspectRecord {
  readonly urn: string;
  /** URN of the entity that the aspect describes. */
  readonly entity: string;
  /** URN of the aspect's schema. */
  readonly schema: string;
  /** Content of the aspect; undefined when it was listed without content. */
  readonly content?: unknown;
  readonly contentType?: string | undefined;
  /** Time from which the aspect is valid, RFC 3339. */
  readonly validFrom?: string | undefined;
  /** End of the validity; set after the aspect was retracted or replaced. */
  readonly validTo?: string | undefined;
  readonly policy?: string | undefined;
  readonly asserter?: string | undefined;
  readonly replaces?: string | undefined;
}

/** A piece of metadata that is attached to an entity. */
export interface Aspect extends AspectRecord {
  /** Fetches the current aspect. */
  refresh(): Promise<Aspect>;
  /** Ends the aspect: it is no longer listed, and stays in the history. */
  retract(): Promise<void>;
}

export interface AspectOptions {
  /** URN of the schema; default: the `$schema` of the aspect. */
  readonly schema?: string;
  /** Access policy, `urn:platform:policy:…`. */
  readonly policy?: string;
}

export interface AspectFilter {
  readonly entity?: string;
  /** URN of a schema; `%` matches any text. */
  readonly schema?: string;
  /** JSON path that the content must match. */
  readonly contentPath?: string;
  /** Lists the aspects that were valid at that time; default: now. */
  readonly atTime?: Date;
  /** Filter in the platform's filter language. */
  readonly filter?: string;
  /** Field to sort by; default `valid_from`. */
  readonly orderBy?: string;
  /** Sort order; default `DESC`: the newest first. */
  readonly orderDirection?: "ASC" | "DESC";
  /** True: lists aspects with their content; default true. */
  readonly includeContent?: boolean;
  /** Maximum number of aspects; default all. Pages are fetched on demand. */
  readonly limit?: number;
}

/** Operations on aspects, on the platform or in a folder. */
export interface Aspects {
  add(entity: string, aspect: object, options?: AspectOptions): Promise<Aspect>;
  update(entity: string, aspect: object, options?: AspectOptions): Promise<Aspect>;
  list(filter?: AspectFilter): AsyncIterable<Aspect>;
}

/** Creates the operations on aspects of the platform. */
export function createAspects(api: PlatformApi): Aspects {
  const withMethods = (record: AspectRecord): Aspect => {
    const path = apiPath(["aspects", record.urn]);
    return {
      ...record,
      async refresh() {
        const operation = `get aspect ${record.urn}`;
        return withMethods(
          readRecord(operation, jsonOf(operation, await api.call({ operation, method: "GET", path }))),
        );
      },
      async retract() {
        const operation = `retract aspect ${record.urn}`;
        await api.call({ operation, method: "DELETE", path });
      },
    };
  };
  const write =
    (method: "POST" | "PUT"): Aspects["add"] =>
    async (entity, aspect, options) => {
      const { schema, policy, content } = readAspect(entity, aspect, options);
      const operation = `${method === "POST" ? "add" : "update"} aspect ${schema} of ${entity}`;
      const answer = await api.call({
        operation,
        method,
        path: apiPath(["aspects"], { entity, schema, policy }),
        // The idempotency key prevents a second aspect: a request whose answer was lost is retried.
        headers: { "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
        body: JSON.stringify(content),
      });
      return withMethods(readRecord(operation, { entity, schema, content, ...jsonOf(operation, answer) }));
    };
  return {
    add: write("POST"),
    update: write("PUT"),
    list({ limit, ...filter } = {}) {
      const operation = `list aspects${filter.entity === undefined ? "" : ` of ${filter.entity}`}`;
      const pages = listPages(api, operation, ["aspects"], queryOf(filter), limit);
      return mapEach(pages, (item) => withMethods(readRecord(operation, item)));
    },
  };
}

/** Checks an author's aspect, and adds its schema and entity. Throws a `TypeError` for a mistake. */
export function readAspect(
  entity: string,
  aspect: object,
  { schema = (aspect as { $schema?: unknown }).$schema as string, policy }: AspectOptions = {},
): { readonly schema: string; readonly policy: string | undefined; readonly content: Record<string, unknown> } {
  if (typeof entity !== "string" || entity === "") throw new TypeError("An aspect needs the URN of its entity.");
  if (typeof aspect !== "object" || aspect === null || Array.isArray(aspect)) {
    throw new TypeError("An aspect must be an object.");
  }
  if (typeof schema !== "string" || schema === "") {
    throw new TypeError("An aspect needs the URN of its schema: give it a `$schema`, or pass the option `schema`.");
  }
  let content: Record<string, unknown>;
  try {
    content = JSON.parse(JSON.stringify({ $schema: schema, ...aspect, $entity: entity })) as Record<string, unknown>;
  } catch (error) {
    throw new TypeError(`The aspect ${schema} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  return { schema, policy, content: { ...content, $schema: schema } };
}

/** Parses an aspect of the platform. */
export function readRecord(operation: string, item: Readonly<Record<string, unknown>>): AspectRecord {
  const { id, entity, schema } = item;
  if (typeof id !== "string" || typeof entity !== "string" || typeof schema !== "string") {
    throw new PlatformError(operation, "the platform's answer has an aspect without id, entity or schema.");
  }
  const text = (name: string): string | undefined => {
    const value = item[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    urn: id,
    entity,
    schema,
    content: item["content"],
    contentType: text("content-type"),
    validFrom: text("valid-from"),
    validTo: text("valid-to"),
    policy: text("policy"),
    asserter: text("asserter"),
    replaces: text("replaces"),
  };
}

/** Maps every item of an iteration. */
export async function* mapEach<From, To>(
  items: AsyncIterable<From>,
  map: (item: From) => To,
): AsyncGenerator<To, void, undefined> {
  for await (const item of items) yield map(item);
}

function queryOf(filter: Omit<AspectFilter, "limit">): Query {
  return {
    entity: filter.entity,
    schema: filter.schema,
    "content-path": filter.contentPath,
    "at-time": filter.atTime?.toISOString(),
    filter: filter.filter,
    "order-by": filter.orderBy ?? "valid_from",
    "order-direction": filter.orderDirection ?? "DESC",
    "include-content": filter.includeContent ?? true,
  };
}
