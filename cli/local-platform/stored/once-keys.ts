import type { DatabaseSync, StatementSync } from "node:sqlite";
import { inTransaction } from "./platform-database.ts";

/** What an `Idempotency-Key` has made, so that a request whose answer was lost makes nothing twice. */
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
   * Makes something and notes its key, both or neither. Makes nothing when the key has made something already, also
   * while this request was on its way.
   * @param make Writes rows and answers with the new id
   * @returns The id that the key stands for
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
