import type { DatabaseSync, StatementSync } from "node:sqlite";

/** What an `Idempotency-Key` has made, so that a request whose answer was lost makes nothing twice. */
export class OnceKeys {
  readonly #get: StatementSync;
  readonly #set: StatementSync;

  constructor(database: DatabaseSync) {
    this.#get = database.prepare("SELECT id FROM once WHERE key = ?");
    this.#set = database.prepare("INSERT INTO once (key, id, at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING");
  }

  get(kind: string, key: string): string | undefined {
    const id = this.#get.get(`${kind} ${key}`)?.["id"];
    return typeof id === "string" ? id : undefined;
  }

  set(kind: string, key: string, id: string): void {
    this.#set.run(`${kind} ${key}`, id, new Date().toISOString());
  }
}
