import { candidatesOf, suggest } from "../../../../contract/validation/report/suggest.ts";
import { StoreError } from "../../store-error.ts";

/** Supported options of an address, each with its allowed values; undefined: any value. */
const known = {
  schema: undefined,
  listen: ["on", "off"],
  host: undefined,
  port: undefined,
  dbname: undefined,
  user: undefined,
  password: undefined,
  application_name: undefined,
  options: undefined,
  connect_timeout: undefined,
  client_encoding: ["auto", "utf8", "utf-8"],
  sslmode: ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
  sslnegotiation: ["postgres", "direct"],
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  sslpassword: undefined,
  sslsni: ["1"],
  ssl_min_protocol_version: ["TLSv1.2", "TLSv1.3"],
  ssl_max_protocol_version: ["TLSv1.2", "TLSv1.3"],
  channel_binding: ["disable", "prefer", "require"],
  gssencmode: ["disable", "prefer"],
  keepalives: ["1"],
  keepalives_idle: undefined,
  target_session_attrs: ["any", "read-write", "primary"],
  load_balance_hosts: ["disable"],
} as const;

export type OptionName = keyof typeof known;
export type AddressOptions = ReadonlyMap<OptionName, string>;

/** Options whose value is a number of seconds. */
const seconds = new Set<string>(["connect_timeout", "keepalives_idle"] satisfies OptionName[]);

/** Options of `psql` that this driver does not support. */
const notHere = new Set(
  (
    "hostaddr passfile require_auth fallback_application_name keepalives_interval keepalives_count tcp_user_timeout " +
    "replication sslcompression sslcertmode sslcrl sslcrldir requirepeer krbsrvname gsslib gssdelegation service " +
    "servicefile min_protocol_version max_protocol_version requiressl sslkeylogfile scram_client_key scram_server_key " +
    "oauth_issuer oauth_client_id oauth_client_secret oauth_scope"
  ).split(" "),
);

/**
 * The environment from which `psql` takes an option that the address leaves out. The driver itself reads all other
 * variables.
 */
const variables: Partial<Record<OptionName, string>> = {
  sslmode: "PGSSLMODE",
  sslnegotiation: "PGSSLNEGOTIATION",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  ssl_min_protocol_version: "PGSSLMINPROTOCOLVERSION",
  ssl_max_protocol_version: "PGSSLMAXPROTOCOLVERSION",
  channel_binding: "PGCHANNELBINDING",
  gssencmode: "PGGSSENCMODE",
  target_session_attrs: "PGTARGETSESSIONATTRS",
  connect_timeout: "PGCONNECT_TIMEOUT",
  sslsni: "PGSSLSNI",
  load_balance_hosts: "PGLOADBALANCEHOSTS",
};

/** Variables of {@link notHere} that are allowed: the driver reads the first, and the second one only names a file. */
const harmless = new Set(["PGPASSFILE", "PGSERVICEFILE"]);

/**
 * Reads the options after `?`, and those of the environment. Throws a `StoreError` for an option that is not supported.
 */
export function readOptions(query: string, setting: string, env: NodeJS.ProcessEnv): AddressOptions {
  const options = new Map<OptionName, string>();
  for (const name of notHere) {
    const variable = `PG${name.replaceAll("_", "").toUpperCase()}`;
    if ((env[variable] ?? "") !== "" && !harmless.has(variable))
      throw new StoreError(`${variable} is set, which tenon cannot carry out. Unset it for this process.`);
  }
  for (const [name, variable] of Object.entries(variables) as [OptionName, string][]) {
    const value = env[variable];
    if (value !== undefined && value !== "") options.set(name, checked(name, value, variable));
  }
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    // The text may be the rest of a password, so it is not shown.
    if (end === -1) {
      throw new StoreError(
        `${setting} has an option without a value. Write NAME=VALUE, and %26 for an & inside a value.`,
      );
    }
    const [given, text] = [decodeURIComponent(pair.slice(0, end)), decodeURIComponent(pair.slice(end + 1))];
    // psql also accepts `ssl=true`, as in JDBC. `uselibpqcompat` is ignored, since this store always behaves as that
    // option demands.
    const [name, value] = given === "ssl" && text === "true" ? ["sslmode", "require"] : [given, text];
    if (name === "uselibpqcompat" && value === "true") continue;
    if (!isKnown(name)) throw unknownOption(name, setting, options);
    options.set(name, checked(name, value, setting));
  }
  return options;
}

function isKnown(name: string): name is OptionName {
  return Object.hasOwn(known, name);
}

function checked(name: OptionName, value: string, setting: string): string {
  const values: readonly string[] | undefined = known[name];
  const found = values?.find((each) => each.toLowerCase() === value.toLowerCase());
  if (seconds.has(name) && !/^\s*-?\d{1,6}\s*$/.test(value))
    throw new StoreError(`${setting} has ${name}=${JSON.stringify(value)}. Write a whole number of seconds.`);
  if (values === undefined) return value;
  if (found !== undefined) return found;
  throw new StoreError(
    `${setting} has ${name}=${JSON.stringify(value)}. ${values.length === 1 ? "Leave it out, or write" : "Write"} ` +
      `${values.join(", ").replace(/, ([^,]*)$/, " or $1")}.`,
  );
}

function unknownOption(name: string, setting: string, before: AddressOptions): StoreError {
  if (notHere.has(name)) {
    return new StoreError(`${setting} has the option ${name}, which tenon cannot carry out. Leave it out.`);
  }
  if (before.has("password") || before.has("sslpassword")) {
    return new StoreError(
      `${setting} has an option after a password which the address of a PostgreSQL database does not have. If it belongs ` +
        "to the password, write %26 for the & before it.",
    );
  }
  const nearest = suggest(name, candidatesOf(Object.keys(known)));
  const fix = nearest === undefined ? "Leave it out" : `Did you mean ${nearest}? Otherwise leave it out`;
  return new StoreError(
    `${setting} has the option ${JSON.stringify(name)}, which the address of a PostgreSQL database does not have. ${fix}.`,
  );
}
