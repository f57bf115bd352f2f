import { StoreError } from "../store-error.ts";

/** The parts of a store's address. */
export interface Address {
  /** The address for the driver, with its password; never shown. */
  readonly url: string;
  /** Schema of the tables. */
  readonly schema: string;
  /** The address for messages, without password and options. */
  readonly shown: string;
}

const example = "for example postgres://user:password@localhost:5432/jobs";
/** Longest name of a schema: PostgreSQL cuts longer ones off without an error. */
const maxNameBytes = 63;

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=tenon&sslmode=…`. Throws a `StoreError` that does not repeat
 * the password.
 */
export function readAddress(spec: string): Address {
  let url: URL;
  try {
    url = new URL(spec.trim());
    decodeURIComponent(url.pathname + url.username + url.password);
  } catch {
    // The address itself may hold a password, also where it cannot be read.
    throw new StoreError(
      `TENON_STORE is not a valid address of a PostgreSQL database. Write one like that: ${example}.`,
    );
  }
  const schema = url.searchParams.get("schema") ?? "tenon";
  if (schema === "" || Buffer.byteLength(schema) > maxNameBytes || schema.includes("\0") || /^pg_/i.test(schema)) {
    throw new StoreError(
      `TENON_STORE names the schema ${JSON.stringify(schema)}, which is not a valid name. Give one of 1 to ${maxNameBytes} ` +
        "bytes that does not begin with pg_, for example ?schema=tenon.",
    );
  }
  url.searchParams.delete("schema");
  // The driver then reads the TLS options as every other PostgreSQL client does.
  if (url.searchParams.has("sslmode") && !url.searchParams.has("uselibpqcompat")) {
    url.searchParams.set("uselibpqcompat", "true");
  }
  return { url: url.href, schema, shown: shownAddress(url) };
}

function shownAddress({ hostname, port, pathname, username, searchParams }: URL): string {
  const host = hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname;
  const user = username === "" ? "" : `${decodeURIComponent(username)}@`;
  return `postgres://${user}${host}:${port === "" ? "5432" : port}${decodeURIComponent(pathname)}`;
}
