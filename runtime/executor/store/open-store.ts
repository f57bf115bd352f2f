import { StoreError } from "./store-error.ts";
import type { JobStore } from "./job-store.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { createMemoryStore } from "./memory/memory.ts";

export interface OpenStoreOptions {
  /** Limits for the finished jobs of single tools; all other tools share 10000. */
  readonly perTool?: ReadonlyMap<string, number>;
  /** Maximum bytes of finished jobs, for a store in memory; default 64 MiB. */
  readonly maxBytes?: number;
  /**
   * See `SqliteStoreOptions.endLeases`: true for a service, whose workers live in its process. A database that several
   * processes share ignores it.
   */
  readonly endLeases?: boolean;
  /** `TENON_STORE_LISTEN_URL`, for a PostgreSQL server behind a pooler. */
  readonly listenUrl?: string | undefined;
  /** Milliseconds to wait for a database server that cannot be reached; default none. */
  readonly patience?: number;
  /** The service that uses the store, for a database that other services could use too. */
  readonly user?: { readonly service: string; readonly tools: readonly Pick<Tool, "name" | "definition">[] };
}

const supported =
  "Use memory: (jobs are gone when the process ends), sqlite:FILE (jobs survive it), for example sqlite:./jobs.db, or " +
  "postgres://USER:PASSWORD@HOST/DATABASE (replicas share the jobs)";

/**
 * Opens the store that `TENON_STORE` names: `memory:`, `sqlite:FILE` or `postgres://…`. Only the code of that store is
 * loaded. Throws a `StoreError` that says what to write instead.
 */
export async function openStore(
  spec: string,
  { listenUrl, maxBytes, user, ...options }: OpenStoreOptions = {},
): Promise<JobStore> {
  const [, scheme, rest] = /^([A-Za-z][A-Za-z\d+.-]*):(.*)$/s.exec(spec.trim()) ?? [];
  if (listenUrl !== undefined) (await import("./postgres/connection/address.ts")).checkListens(scheme);
  switch (scheme?.toLowerCase()) {
    case "memory":
      if (rest !== "") throw new StoreError(`TENON_STORE is ${quote(spec)}, but memory: takes no value.`);
      return createMemoryStore({ perTool: options.perTool, maxBytes });
    case "sqlite": {
      const { openSqliteStore } = await import("./sqlite/sqlite.ts");
      // `maxBytes` is left out: for a file it would be a different limit, at which jobs are refused.
      return openSqliteStore(fileOf(rest ?? "", spec), options);
    }
    case "postgres":
    case "postgresql": {
      const { openPostgresStore } = await import("./postgres/open-postgres.ts");
      const tools = user?.tools ?? [];
      const early = tools.flatMap(({ name, definition }) => (definition.priorities === undefined ? [] : [name]));
      const owner = user && { ...user, tools: tools.map(({ name }) => name) };
      return openPostgresStore(spec, { ...options, early, user: owner, ...(listenUrl !== undefined && { listenUrl }) });
    }
    case "redis":
    case "rediss":
      // An address with an unknown scheme may hold a password, so it is not shown.
      throw new StoreError(`TENON_STORE names a ${scheme}: store, which this version does not support. ${supported}.`);
    default:
      throw new StoreError(
        `TENON_STORE is ${quote(withoutPassword(spec))}, which is not a supported store. ${supported}.`,
      );
  }
}

function fileOf(rest: string, spec: string): string {
  // `sqlite:///abs/jobs.db` is accepted too, since other programs write addresses in this form.
  const file = rest.startsWith("//") ? rest.slice(2) : rest;
  if (file === "") throw new StoreError(`TENON_STORE is ${quote(spec)}, without a file. ${supported}.`);
  if (/[/\\]$/.test(file)) throw new StoreError(`TENON_STORE is ${quote(spec)}, which names a folder. ${supported}.`);
  if (file === ":memory:") throw new StoreError(`TENON_STORE is ${quote(spec)}. ${supported}.`);
  return file;
}

/** Hides what may hold a password in an address of an unknown form: all before its host, and values of options. */
function withoutPassword(spec: string): string {
  return spec.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^]*@/i, "$1\u2026@").replace(/=[^]*$/, "=\u2026");
}

function quote(text: string): string {
  return JSON.stringify(text);
}
