/** Readers of single settings. Each function throws a `StartError` (bad variable) or a `UsageError` (bad flag). */
import { notUrlError, StartError, UsageError } from "../../base/start-error.ts";

/** A limit of `count` requests in `seconds`. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
}

/** Returns the address to listen on: the flag, else the option, else the variable `HOST`. */
export function readHost(flag: string | undefined, option: string | undefined, variable: string | undefined): string {
  const host = flag ?? option ?? variable ?? "0.0.0.0";
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  if (/^[A-Za-z0-9._:%-]{1,253}$/.test(bare)) return bare;
  const message = `${JSON.stringify(host)} is not a valid address to listen on; write one such as 127.0.0.1, :: or localhost.`;
  throw wrong("host", flag, option, message);
}

/** Returns the port to listen on: the flag, else the option, else the variable `PORT`. */
export function readPort(flag: string | undefined, option: number | undefined, variable: string | undefined): number {
  const text = flag ?? (option === undefined ? variable : String(option)) ?? "8090";
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  const message = `${JSON.stringify(text)} is not a valid port; write a number from 0 to 65535.`;
  throw wrong("port", flag, option, message);
}

/** An error that names where the value came from. */
function wrong(name: "host" | "port", flag: unknown, option: unknown, message: string): Error {
  if (flag !== undefined) return new UsageError(`--${name}: ${message}`);
  return new StartError(`${option === undefined ? name.toUpperCase() : `The option ${name}`}: ${message}`);
}

/** Returns the number of concurrent jobs: the flag, else the option. */
export function readConcurrency(flag: string | undefined, option: number = 1): number {
  const value = flag === undefined ? option : /^\d{1,5}$/.test(flag) ? Number(flag) : 0;
  if (Number.isSafeInteger(value) && value >= 1) return value;
  const rule = "it must be a whole number from 1.";
  throw flag === undefined
    ? new StartError(`The option concurrency is ${option}; ${rule}`)
    : new UsageError(`--concurrency is ${JSON.stringify(flag)}; ${rule}`);
}

/** Parses the hosts of a comma-separated list, without their ports; undefined without a list. */
export function readHosts(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  return split(list).map((entry) => {
    const url = URL.parse(`http://${entry}/`);
    if (url === null || url.pathname !== "/" || url.username !== "" || /[/@?#\\]/.test(entry)) {
      throw new StartError(
        `TENON_ALLOWED_HOSTS: ${JSON.stringify(entry)} is not a valid host; write one such as tools.example.org.`,
      );
    }
    return url.hostname;
  });
}

/** Parses the origins of a comma-separated list. */
export function readOrigins(list: string): readonly string[] {
  return split(list).map((entry) => {
    const url = URL.parse(entry);
    if (url !== null && url.origin !== "null" && (entry === url.origin || entry === `${url.origin}/`))
      return url.origin;
    throw new StartError(
      `TENON_ALLOWED_ORIGINS: ${JSON.stringify(entry)} is not a valid origin; write one such as https://app.example.org.`,
    );
  });
}

/** Parses a number of requests per second, minute or hour, such as `20/s`. */
export function readRate(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
  const [, count = "0", unit = ""] = /^(\d{1,7})\s*\/\s*([smh])$/.exec(text.trim()) ?? [];
  const seconds = { s: 1, m: 60, h: 3600 }[unit];
  if (seconds !== undefined && Number(count) > 0) return { count: Number(count), seconds };
  throw new StartError(
    `TENON_RATE_LIMIT is ${JSON.stringify(text)}; write a number of requests per second, minute or hour, such as 20/s or 600/m.`,
  );
}

export function readStateKey(text: string | undefined): string | undefined {
  if (text === undefined || text.length >= 32) return text;
  throw new StartError("TENON_STATE_KEY is too short; it needs at least 32 random characters.");
}

/** Parses an http URL; slashes at its end are removed. */
export function readUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return text.replace(/\/+$/, "");
  throw notUrlError(name, text);
}

export function readSeconds(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text)) return Number(text);
  throw new StartError(`${name} is ${JSON.stringify(text)}; it must be a number of seconds.`);
}

/** Parses a setting that must be one of the allowed texts. */
export function oneOf<T extends string>(
  read: (name: string) => string | undefined,
  name: string,
  fallback: T,
  allowed: readonly T[],
): T {
  const text = read(name) ?? fallback;
  if ((allowed as readonly string[]).includes(text)) return text as T;
  throw new StartError(`${name} is ${JSON.stringify(text)}; allowed: ${allowed.join(", ")}.`);
}

function split(list: string): string[] {
  return list
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Environment variables, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
