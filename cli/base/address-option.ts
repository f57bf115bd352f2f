import { UsageError } from "./usage.ts";

/** An address of each kind, to show how one is written. */
const examples = { service: "http://127.0.0.1:8090", platform: "http://127.0.0.1:4400" } as const;

/** Kind of program that a command calls. */
export type Called = keyof typeof examples;

/**
 * Reads the value of `--url`, to which paths are appended; it has no slash at its end.
 *
 * @throws UsageError for anything but an address of http without a user, a query and a fragment
 */
export function baseAddress(url: string, called: Called): string {
  const parsed = URL.parse(url);
  const hint = `write one such as ${examples[called]}`;
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:"))
    throw new UsageError(`--url ${JSON.stringify(url)} is not the address of a ${called}; ${hint}`);
  const { origin, pathname, username, password, search, hash } = parsed;
  if (username + password + search + hash === "") return origin + pathname.replace(/\/+$/, "");
  // The address is not repeated here, since it may have a password.
  throw new UsageError(`--url has a user, a query or a fragment, which a ${called} is not called with; ${hint}`);
}
