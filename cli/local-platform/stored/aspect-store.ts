import { randomUUID } from "node:crypto";
import type { Condition } from "./filter.ts";
import type { OnceKeys } from "./once-keys.ts";
import type { PlatformTables, Query, SqlValue } from "./platform-tables.ts";

/** An aspect as a row. */
export interface StoredAspect {
  readonly seq: number;
  readonly id: string;
  readonly entity: string;
  readonly schema: string;
  /** JSON text. */
  readonly content: string;
  readonly policy: string | null;
  /** The job that added it. */
  readonly asserter: string | null;
  readonly replaces: string | null;
  /** RFC 3339. */
  readonly valid_from: string;
  readonly valid_to: string | null;
}

export type NewAspect = Pick<StoredAspect, "entity" | "schema" | "content" | "policy" | "asserter">;

export interface AspectQuery {
  readonly entity: string | undefined;
  /** Schema of the aspects; `%` matches any text. */
  readonly schema: string | undefined;
  readonly conditions: readonly Condition<"entity" | "schema" | "id" | "policy" | "asserter">[];
  /** JSON path; matches aspects whose content has a value there. */
  readonly contentPath: string | undefined;
  /** RFC 3339; undefined: now. */
  readonly atTime: string | undefined;
  readonly ascending: boolean;
  /** Number of the last aspect of the previous page. */
  readonly behind: number | undefined;
  readonly count: number;
}

/** Largest number that every database accepts as a position of an aspect. */
const lastPlace = 2 ** 31 - 1;

/** Stores aspects. An aspect that was retracted or replaced stays in the history. */
export class AspectStore {
  readonly #tables: PlatformTables;
  readonly #once: OnceKeys;

  constructor(tables: PlatformTables, once: OnceKeys) {
    this.#tables = tables;
    this.#once = once;
  }

  /** The aspect that was added with an idempotency key. */
  async withKey(key: string): Promise<StoredAspect | undefined> {
    const id = await this.#once.get("aspect", key);
    return id === undefined ? undefined : this.get(id);
  }

  async get(id: string): Promise<StoredAspect | undefined> {
    const [row] = await this.#tables.query<StoredAspect>("SELECT * FROM {aspects} WHERE id = ?", id);
    return row;
  }

  /** Adds an aspect, once for each idempotency key. Returns its id. */
  add(aspect: NewAspect, key: string | undefined): Promise<string> {
    return this.#once.make("aspect", key, (query) => insert(query, aspect, null));
  }

  /**
   * Adds an aspect that replaces those of the same entity and schema, once for each idempotency key. Returns its id.
   */
  async replace(aspect: NewAspect, key: string | undefined): Promise<string> {
    const exchange = async (query: Query): Promise<string> => {
      const before = await query<StoredAspect>(
        "SELECT * FROM {aspects} WHERE entity = ? AND schema = ? AND valid_to IS NULL ORDER BY seq DESC",
        aspect.entity,
        aspect.schema,
      );
      for (const { id } of before) await end(query, id);
      return insert(query, aspect, before[0]?.id ?? null);
    };
    return key === undefined ? this.#tables.exclusively(exchange) : this.#once.make("aspect", key, exchange);
  }

  retract(id: string): Promise<void> {
    return end(this.#tables.query, id);
  }

  list(query: AspectQuery): Promise<readonly StoredAspect[]> {
    const { like, contains, hasPath, path } = this.#tables.conditions;
    const { entity, schema, atTime, ascending, behind, count } = query;
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    const where = (condition: string, ...parameters: readonly SqlValue[]): void => {
      conditions.push(condition);
      values.push(...parameters);
    };
    if (entity !== undefined) where("entity = ?", entity);
    if (schema !== undefined) {
      if (schema.includes("%")) where(like("schema"), schema.replaceAll(/[\\_]/g, String.raw`\$&`));
      else where("schema = ?", schema);
    }
    for (const { field, operator, text } of query.conditions) {
      where(operator === "=" ? `${field} = ?` : contains(field), text);
    }
    if (query.contentPath !== undefined) where(hasPath("content"), path(query.contentPath));
    if (atTime === undefined) where("valid_to IS NULL");
    else where("valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)", atTime, atTime);
    if (behind !== undefined) where(ascending ? "seq > ?" : "seq < ?", Math.min(behind, lastPlace));
    const filter = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const order = ascending ? "ASC" : "DESC";
    const text = `SELECT * FROM {aspects} ${filter} ORDER BY seq ${order} LIMIT ?`;
    return this.#tables.query<StoredAspect>(text, ...values, count);
  }
}

async function insert(query: Query, aspect: NewAspect, replaces: string | null): Promise<string> {
  const { entity, schema, content, policy, asserter } = aspect;
  const id = `urn:platform:aspect:${randomUUID()}`;
  const values = [id, entity, schema, content, policy, asserter, replaces, new Date().toISOString()];
  await query(
    "INSERT INTO {aspects} (id, entity, schema, content, policy, asserter, replaces, valid_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ...values,
  );
  return id;
}

async function end(query: Query, id: string): Promise<void> {
  const now = new Date().toISOString();
  await query("UPDATE {aspects} SET valid_to = ? WHERE id = ? AND valid_to IS NULL", now, id);
}
