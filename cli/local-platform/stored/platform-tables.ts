export type SqlValue = string | number | null;

/**
 * Runs a statement. `?` stands for a value, `{services}`, `{aspects}`, `{artifacts}` and `{once}` for the tables.
 * Rejects with a `ToolError`.
 */
export type Query = <Row>(text: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>;

/** Conditions that the databases write differently; each takes one value. */
export interface Conditions {
  /** Matches a pattern with `%`, in which a backslash escapes; letters of either case are the same. */
  like(column: string): string;
  /** Contains a text; letters of either case are the same. */
  contains(column: string): string;
  /** The JSON in a column has something at a path. */
  hasPath(column: string): string;
  /** A path of names and places, such as `$.authors[0].name`, as a value for `hasPath`. */
  path(path: string): string;
}

/** All data of a platform but its jobs. Times are RFC 3339. */
export interface PlatformTables {
  /** True when other replicas read and write the same tables. */
  readonly isShared: boolean;
  readonly query: Query;
  readonly conditions: Conditions;
  /** Runs statements as one transaction, one such transaction at a time, over all replicas. */
  exclusively<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Days that an idempotency key of an artifact or aspect is kept. */
export const onceDays = 2;

/** The tables without their types of numbers, which each database has its own of. */
export interface NumberTypes {
  /** Numbers the rows of a table, in the order in which they were added. */
  readonly place: string;
  /** Bytes. */
  readonly size: string;
}

/** The statements that create the tables. */
export function createTables({ place, size }: NumberTypes): string {
  return `
CREATE TABLE {services} (
  key TEXT PRIMARY KEY,
  urn TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  url TEXT
);
CREATE TABLE {aspects} (
  seq ${place},
  id TEXT NOT NULL UNIQUE,
  entity TEXT NOT NULL,
  schema TEXT NOT NULL,
  content TEXT NOT NULL,
  policy TEXT,
  asserter TEXT,
  replaces TEXT,
  valid_from TEXT NOT NULL,
  valid_to TEXT
);
CREATE INDEX aspects_entity ON {aspects} (entity, schema);
CREATE INDEX aspects_schema ON {aspects} (schema);
CREATE TABLE {artifacts} (
  seq ${place},
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size ${size},
  sha256 TEXT,
  status TEXT NOT NULL,
  policy TEXT,
  collection TEXT,
  job TEXT,
  created TEXT NOT NULL
);
CREATE TABLE {once} (
  key TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  at TEXT NOT NULL
);
`;
}

/** Statements with the names of the tables. */
export function withTables(text: string, nameOf: (table: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, table: string) => nameOf(table));
}

/** Forgets old idempotency keys. */
export async function forgetOldKeys(query: Query): Promise<void> {
  await query("DELETE FROM {once} WHERE at < ?", new Date(Date.now() - onceDays * 86_400_000).toISOString());
}
