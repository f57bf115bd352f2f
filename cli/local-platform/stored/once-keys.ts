import type { DatabaseSync, StatementSync } from "node:sqlite";
import { inTransaction } from "./platform-database.ts";

/** Results of `Idempotency-Key`s, so that a repeated request creates nothing twice. */
export class OnceKeys {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #set: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#get = database.prepare("SELECT id FROM once WHERE key = ?");
    this.#set = database.prepare("INSERT INTO once (key, id, at) VALUES (?, ?, ?)");
  }

  get(kind: string, key: string): string | undefined {
    const id = this.#get.get(`${kind} ${key}`)?.["id"];
    return typeof id === "string" ? id : undefined;
  }

  /**
   * Creates something and stores its key, in one transaction. Creates nothing when the key is known, even if that
   * happened during this request.
   * @param make Writes rows and returns the new id
   * @returns The id for the key
   */
  make(kind: string, key: string | undefined, make: () => string): string {
    return inTransaction(this.#database, () => {
      const known = key === undefined ? undefined : this.get(kind, key);
      if (known !== undefined) return known;
      const id = make();
      if (key !== undefined) this.#set.run(`${kind} ${key}`, id, new Date().toISOString());
      return id;
    });
  }
}
