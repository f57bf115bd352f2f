import { ToolError } from "../../../runtime/base/errors.ts";
import type { PlatformTables, Query } from "./platform-tables.ts";

/** Results of `Idempotency-Key`s, so that a repeated request creates nothing twice. */
export class OnceKeys {
  readonly #tables: PlatformTables;

  constructor(tables: PlatformTables) {
    this.#tables = tables;
  }

  get(kind: string, key: string): Promise<string | undefined> {
    return find(this.#tables.query, kind, key);
  }

  /**
   * Creates an entity and stores its idempotency key, in one transaction. Creates nothing when the key is known, even
   * if it was stored during this request.
   * @param make Writes rows and returns the new id. Without a key, it must use a single statement
   * @returns The id for the key
   */
  async make(kind: string, key: string | undefined, make: (query: Query) => Promise<string>): Promise<string> {
    if (key === undefined) return make(this.#tables.query);
    return this.#tables.exclusively(async (query) => {
      const known = await find(query, kind, key);
      if (known !== undefined) return known;
      const id = await make(query);
      const now = new Date().toISOString();
      await query("INSERT INTO {once} (key, id, at) VALUES (?, ?, ?)", `${kind} ${key}`, id, now);
      return id;
    });
  }
}

/** The error for an idempotency key that comes with another request than before. */
export function otherRequest(): ToolError {
  return new ToolError("idempotency-conflict", "This Idempotency-Key belongs to another request.");
}

async function find(query: Query, kind: string, key: string): Promise<string | undefined> {
  const [row] = await query<{ readonly id: string }>("SELECT id FROM {once} WHERE key = ?", `${kind} ${key}`);
  return row?.id;
}
