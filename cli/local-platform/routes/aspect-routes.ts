import { ToolError } from "../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import type { AspectStore, StoredAspect } from "../stored/aspect-store.ts";
import { notFound, type Exchange } from "./exchange.ts";
import { readFilter } from "../stored/filter.ts";
import { otherRequest } from "../stored/once-keys.ts";
import { writerOf } from "./job-access.ts";
import { onceKeyOf } from "./job-headers.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import { readPage, sendPage } from "./pages.ts";

/** Fields that a filter may use. */
const filterFields = ["entity", "schema", "id", "policy", "asserter"] as const;
/** Matches `$.name`, `$.list[0].name`, `$."a name"`. */
const pathForm = /^\$(?:\.(?:\w+|"[^"]*")|\[\d{1,9}\])*$/;
const maxAspectBytes = 4 * 1024 * 1024;

export interface AspectRouteOptions {
  readonly aspects: AspectStore;
  readonly queue: JobQueue;
  readonly tokens: JobTokens;
}

/** `/aspects`: metadata of entities. */
export class AspectRoutes {
  readonly #options: AspectRouteOptions;

  constructor(options: AspectRouteOptions) {
    this.#options = options;
  }

  async handle(exchange: Exchange): Promise<void> {
    const { aspects } = this.#options;
    const [, id] = exchange.segments;
    const { method } = exchange;
    if (id === undefined) {
      if (method === "GET") return this.#list(exchange);
      if (method === "POST" || method === "PUT") return this.#write(exchange, method === "PUT");
      throw new ToolError("method-not-allowed", "Use GET, POST or PUT here.");
    }
    const found = await aspects.get(id.startsWith("urn:") ? id : `urn:platform:aspect:${id}`);
    if (found === undefined) throw notFound(`aspect ${JSON.stringify(id.slice(0, 250))}`);
    if (method === "GET") return exchange.json(200, recordOf(found, true));
    if (method !== "DELETE") throw new ToolError("method-not-allowed", "Use GET or DELETE here.");
    await writerOf(exchange, this.#options);
    await aspects.retract(found.id);
    return exchange.json(200, recordOf((await aspects.get(found.id)) ?? found, true));
  }

  async #write(exchange: Exchange, replace: boolean): Promise<void> {
    const { aspects } = this.#options;
    const content = parseJsonBody(await exchange.body(maxAspectBytes));
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
      throw new ToolError("bad-request", "An aspect is a JSON object.");
    }
    const { $schema, $entity } = content as { readonly $schema?: unknown; readonly $entity?: unknown };
    const schema = textOf("schema", exchange.query("schema") ?? $schema);
    const entity = textOf("entity", exchange.query("entity") ?? $entity);
    const asserter = await writerOf(exchange, this.#options);
    const key = onceKeyOf(exchange, asserter ?? "");
    const aspect = {
      entity,
      schema,
      content: JSON.stringify(content),
      asserter,
      policy: exchange.query("policy") ?? null,
    };
    const known = key === undefined ? undefined : await aspects.withKey(key);
    const id = known?.id ?? (await (replace ? aspects.replace(aspect, key) : aspects.add(aspect, key)));
    const added = known ?? (await aspects.get(id));
    if (added === undefined) throw notFound(`aspect ${JSON.stringify(id)}`);
    if ((["entity", "schema", "content", "policy"] as const).some((part) => added[part] !== aspect[part])) {
      throw otherRequest();
    }
    return exchange.json(known !== undefined || replace ? 200 : 201, recordOf(added, true));
  }

  async #list(exchange: Exchange): Promise<void> {
    const order = exchange.query("order-by") ?? "valid_from";
    if (order !== "valid_from" && order !== "valid-from") {
      throw new ToolError("bad-request", `Aspects can be ordered by valid_from only, not by ${order.slice(0, 50)}.`);
    }
    const page = readPage(exchange);
    const rows = await this.#options.aspects.list({
      entity: exchange.query("entity"),
      schema: exchange.query("schema"),
      conditions: readFilter(exchange.query("filter"), filterFields),
      contentPath: pathOf(exchange.query("content-path")),
      atTime: timeOf(exchange.query("at-time")),
      ascending: exchange.query("order-direction")?.toUpperCase() === "ASC",
      behind: page.before,
      count: page.limit + 1,
    });
    const withContent = exchange.query("include-content") !== "false";
    const items = rows.map((row) => ({ seq: row.seq, item: recordOf(row, withContent) }));
    sendPage(exchange, "aspects", page, items);
  }
}

function recordOf(aspect: StoredAspect, withContent: boolean): object {
  const { id, entity, schema, content, policy, asserter, replaces } = aspect;
  return {
    id,
    entity,
    schema,
    "content-type": "application/json",
    ...(withContent && { content: JSON.parse(content) as unknown }),
    "valid-from": aspect.valid_from,
    ...(aspect.valid_to !== null && { "valid-to": aspect.valid_to }),
    ...(policy !== null && { policy }),
    ...(asserter !== null && { asserter }),
    ...(replaces !== null && { replaces }),
  };
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && value.length <= 1000) return value;
  throw new ToolError("bad-request", `An aspect needs the parameter ${name}.`);
}

function pathOf(text: string | undefined): string | undefined {
  if (text === undefined || pathForm.test(text)) return text;
  const message = "content-path must be a JSON path of names and places, for example $.authors[0].name.";
  throw new ToolError("bad-request", message);
}

function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new ToolError("bad-request", "at-time must be a time of RFC 3339.");
  return new Date(time).toISOString();
}
