import { isLoopback, withoutBrackets } from "../../../../base/loopback.ts";
import { StoreError } from "../../store-error.ts";
import { readOptions, type AddressOptions, type OptionName } from "./address-options.ts";

/** The parts of a store's address. */
export interface Address {
  /** User, password, host and database; the driver takes missing parts from the environment. Never shown. */
  readonly login: Login;
  /** The options, by the names that psql gives them. */
  readonly options: AddressOptions;
  /** True for a server on this machine, so that data does not travel over a network. */
  readonly isHere: boolean;
  /** Schema of the tables. */
  readonly schema: string;
  /** The address for messages, without password and options. */
  readonly shown: string;
  /** The setting that holds the address. */
  readonly setting: Setting;
  /** False with `?listen=off`: changes by other replicas are found by polling, without notifications. */
  readonly listens: boolean;
}

export interface Login {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
}

type Setting = "TENON_STORE" | "TENON_STORE_LISTEN_URL";

const example = "postgres://user:password@localhost:5432/jobs";
/** Maximum length of a schema's name in bytes. PostgreSQL cuts longer names off without an error. */
const maxNameBytes = 63;
/**
 * Splits an address as psql does: the first `@` before a slash ends user and password, and `#` does not begin a
 * fragment.
 */
const parts = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/is;

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=tenon&sslmode=…` as psql reads it. Throws a `StoreError`
 * that does not repeat the password.
 */
export function readAddress(spec: string, setting: Setting = "TENON_STORE", env = process.env): Address {
  const [all, userinfo = "", authority = "", path = "", query = ""] = parts.exec(spec.trim()) ?? [];
  // The address may contain a password, so it is not shown, even if it cannot be parsed.
  if (all === undefined) throw invalid(setting);
  if (authority.includes(",")) throw severalHosts(setting);
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority) ?? [];
  if (authority !== "" && host === "" && port === undefined) throw invalid(setting);
  const end = userinfo.includes(":") ? userinfo.indexOf(":") : userinfo.length;
  try {
    const options = readOptions(query, setting, env);
    // An option replaces the part of the address that has the same name.
    const part = (name: OptionName, text: string): string | undefined =>
      options.get(name) ?? (decodeURIComponent(text) || undefined);
    const login = {
      host: part("host", withoutBrackets(host)),
      port: readPort(part("port", port ?? ""), setting),
      user: part("user", userinfo.slice(0, end)),
      password: part("password", userinfo.slice(end + 1)),
      database: part("dbname", path),
    };
    if (login.host?.includes(",") === true) throw severalHosts(setting);
    return {
      login,
      options,
      isHere: isOnThisMachine(login.host ?? env["PGHOST"]),
      schema: readSchema(options.get("schema") ?? "tenon", setting),
      shown: shownAddress(login, env),
      setting,
      listens: options.get("listen") !== "off",
    };
  } catch (error) {
    if (error instanceof URIError) throw invalid(setting, ": a % in it does not begin a character such as %25");
    throw error;
  }
}

/** Throws a `StoreError` for a store without notifications, if an address for them is set. */
export function checkListens(scheme: string | undefined): void {
  if (/^postgres(?:ql)?$/i.test(scheme ?? "")) return;
  throw new StoreError(
    "TENON_STORE_LISTEN_URL is set, and TENON_STORE is not the address of a PostgreSQL database. Set both, or neither.",
  );
}

/** True where psql connects to this machine: no host, the loopback, or the folder of a socket. */
function isOnThisMachine(host = ""): boolean {
  return host === "" || /^[/@]/.test(host) || isLoopback(host);
}

function readPort(text: string | undefined, setting: Setting): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new StoreError(
    `${setting} has the port ${JSON.stringify(text)}, which is not a valid port. Write one from 1 to 65535.`,
  );
}

function readSchema(schema: string, setting: Setting): string {
  if (schema !== "" && Buffer.byteLength(schema) <= maxNameBytes && !schema.includes("\0") && !/^pg_/i.test(schema)) {
    return schema;
  }
  throw new StoreError(
    `${setting} names the schema ${JSON.stringify(schema)}, which is not a valid name. Give one of 1 to ${maxNameBytes} ` +
      "bytes that does not begin with pg_, for example ?schema=tenon.",
  );
}

function invalid(setting: Setting, why = ""): StoreError {
  return new StoreError(
    `${setting} is not a valid address of a PostgreSQL database${why}. Write one like ${example}, and percent-encode ` +
      "special characters of user and password: %25 for %, %40 for @, %2F for /, %3A for :, %3F for ?.",
  );
}

function severalHosts(setting: Setting): StoreError {
  return new StoreError(
    `${setting} names several hosts, and tenon connects to one. Give the name that always leads to the primary server: a ` +
      "service, a virtual address or a pooler.",
  );
}

/** Completes the address as the driver does, so that it is the one to which it connects. */
function shownAddress(login: Login, env: NodeJS.ProcessEnv): string {
  const host = login.host ?? (env["PGHOST"] || "localhost");
  const port = login.port ?? (env["PGPORT"] || 5432);
  const user = login.user ?? (env["PGUSER"] || undefined);
  const database = login.database ?? (env["PGDATABASE"] || user) ?? "";
  const name = host.includes(":") ? `[${host}]` : host;
  return `postgres://${user === undefined ? "" : `${user}@`}${name}:${port}/${database}`;
}
