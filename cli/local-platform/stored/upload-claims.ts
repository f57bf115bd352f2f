import { randomUUID } from "node:crypto";
import type { PlatformTables } from "./platform-tables.ts";

/** Milliseconds between two renewals of a claim. */
const renewal = 2000;
/**
 * Milliseconds after which the claim of a killed replica ends: sooner than clients give up an upload, which they try
 * again for about half a minute. The clocks of replicas may differ by less.
 */
const expiry = 8000;

/** Lets one request at a time write the content of an artifact, over all replicas. */
export class UploadClaims {
  readonly #tables: PlatformTables;
  readonly #held = new Set<string>();

  constructor(tables: PlatformTables) {
    this.#tables = tables;
  }

  /** Runs `work` if no other request writes the artifact `id`; otherwise `refuse`. */
  async during<T>(id: string, work: () => Promise<T>, refuse: () => T | Promise<T>): Promise<T> {
    if (this.#held.has(id)) return refuse();
    this.#held.add(id);
    try {
      return await (this.#tables.isShared ? this.#overReplicas(id, work, refuse) : work());
    } finally {
      this.#held.delete(id);
    }
  }

  async #overReplicas<T>(id: string, work: () => Promise<T>, refuse: () => T | Promise<T>): Promise<T> {
    const { query } = this.#tables;
    const key = `upload ${id}`;
    const claim = randomUUID();
    const timeOf = (age: number): string => new Date(Date.now() - age).toISOString();
    const taken = await query(
      "INSERT INTO {once} AS held (key, id, at) VALUES (?, ?, ?) " +
        "ON CONFLICT (key) DO UPDATE SET id = excluded.id, at = excluded.at WHERE held.at < ? RETURNING id",
      key,
      claim,
      timeOf(0),
      timeOf(expiry),
    );
    if (taken.length === 0) return refuse();
    const renew = setInterval(() => {
      query("UPDATE {once} SET at = ? WHERE key = ? AND id = ?", timeOf(0), key, claim).catch(() => {});
    }, renewal);
    try {
      return await work();
    } finally {
      clearInterval(renew);
      // A claim that cannot be removed ends by itself.
      await query("DELETE FROM {once} WHERE key = ? AND id = ?", key, claim).catch(() => {});
    }
  }
}
