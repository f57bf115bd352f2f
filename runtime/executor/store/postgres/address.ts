import { StoreError } from "../store-error.ts";

/** The parts of a store's address. */
export interface Address {
  /** The address for the driver, with its password; never shown. */
  readonly url: string;
  /** Schema of the tables. */
  readonly schema: string;
  /** The address for messages, without password and options. */
  readonly shown: string;
  /** The setting that holds the address. */
  readonly setting: Setting;
  /** False with `?listen=off`: news of other replicas are looked for, not listened for. */
  readonly listens: boolean;
}

type Setting = "TENON_STORE" | "TENON_STORE_LISTEN_URL";

const example = "for example postgres://user:password@localhost:5432/jobs";
/** Longest name of a schema: PostgreSQL cuts longer ones off without an error. */
const maxNameBytes = 63;

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=tenon&sslmode=…`. Throws a `StoreError` that does not repeat
 * the password.
 */
export function readAddress(spec: string, setting: Setting = "TENON_STORE"): Address {
  let url: URL;
  try {
    url = new URL(spec.trim());
    decodeURIComponent(url.pathname + url.username + url.password);
  } catch {
    // The address itself may hold a password, also where it cannot be read.
    throw invalid(setting);
  }
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) throw invalid(setting);
  const schema = url.searchParams.get("schema") ?? "tenon";
  if (schema === "" || Buffer.byteLength(schema) > maxNameBytes || schema.includes("\0") || /^pg_/i.test(schema)) {
    throw new StoreError(
      `${setting} names the schema ${JSON.stringify(schema)}, which is not a valid name. Give one of 1 to ${maxNameBytes} ` +
        "bytes that does not begin with pg_, for example ?schema=tenon.",
    );
  }
  const listen = url.searchParams.get("listen") ?? "on";
  if (listen !== "on" && listen !== "off") {
    throw new StoreError(`${setting} has listen=${JSON.stringify(listen)}. Write listen=off, or leave it out.`);
  }
  for (const ours of ["schema", "listen"]) url.searchParams.delete(ours);
  // The driver then reads the TLS options as every other PostgreSQL client does.
  if (url.searchParams.has("sslmode") && !url.searchParams.has("uselibpqcompat")) {
    url.searchParams.set("uselibpqcompat", "true");
  }
  return { url: url.href, schema, shown: shownAddress(url), setting, listens: listen === "on" };
}

/** Throws a `StoreError` for a store that cannot listen, when an address to listen at is set. */
export function checkListens(scheme: string | undefined): void {
  if (/^postgres(?:ql)?$/i.test(scheme ?? "")) return;
  throw new StoreError(
    "TENON_STORE_LISTEN_URL is set, and TENON_STORE is not the address of a PostgreSQL database. Set both, or neither.",
  );
}

function invalid(setting: Setting): StoreError {
  return new StoreError(`${setting} is not a valid address of a PostgreSQL database. Write one like that: ${example}.`);
}

function shownAddress({ hostname, port, pathname, username, searchParams }: URL): string {
  const host = hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname;
  const user = username === "" ? "" : `${decodeURIComponent(username)}@`;
  return `postgres://${user}${host}:${port === "" ? "5432" : port}${decodeURIComponent(pathname)}`;
}
