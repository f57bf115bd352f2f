import type { Environment } from "../../service/config/config.ts";
import { notUrlError, StartError } from "../../base/start-error.ts";

/**
 * Typed access to environment variables. An empty variable counts as unset. All methods throw a `StartError` in one
 * line.
 */
export interface VariableReader {
  text(name: string): string | undefined;
  /** Reads `true`, `false`, `1` or `0`, in any case. */
  boolean(name: string): boolean | undefined;
  /** Reads a whole number from `least` to `most`. */
  integer(name: string, least: number, most: number): number | undefined;
  /** Reads an http or https URL. `scheme`: of an address that has none, such as `collector:4317`; absent: an error. */
  url(name: string, scheme?: string): URL | undefined;
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, "1": true, "0": false };

/** Creates the access to the variables of an environment. */
export function variableReader(env: Environment): VariableReader {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === "" ? undefined : value;
  };
  return {
    text,
    boolean(name) {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return undefined;
      if (Object.hasOwn(booleans, value)) return booleans[value];
      throw new StartError(`${name} is ${JSON.stringify(text(name))}; allowed: true, false, 1, 0.`);
    },
    integer(name, least, most) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= least && number <= most) return number;
      throw new StartError(`${name} is ${JSON.stringify(value)}; it must be a whole number from ${least} to ${most}.`);
    },
    url(name, scheme) {
      const value = text(name);
      if (value === undefined) return undefined;
      const url = URL.parse(scheme === undefined || value.includes("://") ? value : `${scheme}://${value}`);
      if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
      throw notUrlError(name, value);
    },
  };
}
