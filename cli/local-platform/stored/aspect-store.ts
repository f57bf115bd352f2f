import { randomUUID } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Condition } from "./filter.ts";
import { inTransaction } from "./platform-database.ts";

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
  /** `%` matches any text. */
  readonly schema: string | undefined;
  readonly conditions: readonly Condition<"entity" | "schema" | "id" | "policy" | "asserter">[];
  /** JSON path; only aspects whose content has a value there. */
  readonly contentPath: string | undefined;
  /** RFC 3339; undefined: now. */
  readonly atTime: string | undefined;
  readonly ascending: boolean;
  /** Number of the last aspect of the previous page. */
  readonly behind: number | undefined;
  readonly count: number;
}

/** Aspects. A retracted or replaced one stays in the history. */
export class AspectStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #end: StatementSync;
  readonly #find: StatementSync;
  readonly #valid: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      "INSERT INTO aspects (id, entity, schema, content, policy, asserter, replaces, valid_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
    );
    this.#end = database.prepare("UPDATE aspects SET valid_to = ? WHERE id = ? AND valid_to IS NULL");
    this.#find = database.prepare("SELECT * FROM aspects WHERE id = ?");
    this.#valid = database.prepare(
      "SELECT * FROM aspects WHERE entity = ? AND schema = ? AND valid_to IS NULL ORDER BY seq DESC",
    );
  }

  get(id: string): StoredAspect | undefined {
    return this.#find.get(id) as unknown as StoredAspect | undefined;
  }

  add(aspect: NewAspect, replaces: string | null = null): StoredAspect {
    const { entity, schema, content, policy, asserter } = aspect;
    const id = `urn:platform:aspect:${randomUUID()}`;
    const row = this.#insert.get(id, entity, schema, content, policy, asserter, replaces, new Date().toISOString());
    return row as unknown as StoredAspect;
  }

  /** Adds an aspect in place of those of the same entity and schema. */
  replace(aspect: NewAspect): StoredAspect {
    return inTransaction(this.#database, () => {
      const before = this.#valid.all(aspect.entity, aspect.schema) as unknown as readonly StoredAspect[];
      for (const { id } of before) this.retract(id);
      return this.add(aspect, before[0]?.id ?? null);
    });
  }

  retract(id: string): void {
    this.#end.run(new Date().toISOString(), id);
  }

  list(query: AspectQuery): readonly StoredAspect[] {
    const { entity, schema, atTime, ascending, behind, count } = query;
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    const where = (condition: string, ...parameters: readonly (string | number)[]): void => {
      conditions.push(condition);
      values.push(...parameters);
    };
    if (entity !== undefined) where("entity = ?", entity);
    if (schema !== undefined) {
      if (schema.includes("%"))
        where(String.raw`schema LIKE ? ESCAPE '\'`, schema.replaceAll(/[\\_]/g, String.raw`\$&`));
      else where("schema = ?", schema);
    }
    for (const { field, operator, text } of query.conditions) {
      where(operator === "=" ? `${field} = ?` : `instr(lower(${field}), lower(?)) > 0`, text);
    }
    if (query.contentPath !== undefined) where("json_type(content, ?) IS NOT NULL", query.contentPath);
    if (atTime === undefined) where("valid_to IS NULL");
    else where("valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)", atTime, atTime);
    if (behind !== undefined) where(ascending ? "seq > ?" : "seq < ?", behind);
    const filter = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const order = ascending ? "ASC" : "DESC";
    const statement = this.#database.prepare(`SELECT * FROM aspects ${filter} ORDER BY seq ${order} LIMIT ?`);
    return statement.all(...values, count) as unknown as readonly StoredAspect[];
  }
}
