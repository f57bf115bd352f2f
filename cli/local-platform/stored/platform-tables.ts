export type SqlValue = string | number | null;

/**
 * Runs a statement. `?` stands for a value, `{services}`, `{aspects}`, `{artifacts}` and `{once}` for the tables.
 * Rejects with a `ToolError`.
 */
export type Query = <Row>(text: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>;

/** Conditions whose SQL differs between the databases; each condition takes one value. */
export interface Conditions {
  /** SQL that matches a pattern with `%`, in which a backslash escapes; case-insensitive. */
  like(column: string): string;
  /** SQL that is true if the column contains a text; case-insensitive. */
  contains(column: string): string;
  /** SQL that is true if the JSON in a column has a value at a path. */
  hasPath(column: string): string;
  /** Converts a path of names and indexes, such as `$.authors[0].name`, to a value for `hasPath`. */
  path(path: string): string;
}

/** All data of a platform except its jobs. Times are RFC 3339. */
export interface PlatformTables {
  /** True when other replicas read and write the same tables. */
  readonly isShared: boolean;
  readonly query: Query;
  readonly conditions: Conditions;
  /** Runs statements as one transaction, only one at a time over all replicas. */
  exclusively<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Days for which an idempotency key of an artifact or aspect is stored. */
export const onceDays = 2;

/** Numeric types, which differ between the databases. */
export interface NumberTypes {
  /** Type that numbers the rows of a table in the order of insertion. */
  readonly place: string;
  /** Type of a size in bytes. */
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

/** Replaces the table placeholders in SQL text by the actual table names. */
export function withTables(text: string, nameOf: (table: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, table: string) => nameOf(table));
}

/** Deletes old idempotency keys. */
export async function forgetOldKeys(query: Query): Promise<void> {
  await query("DELETE FROM {once} WHERE at < ?", new Date(Date.now() - onceDays * 86_400_000).toISOString());
}
