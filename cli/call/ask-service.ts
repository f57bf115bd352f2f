import { fetchService, needsToken, readText } from "../base/fetch-service.ts";
import { CommandError } from "../base/usage.ts";
import { describeFailure } from "./describe-failure.ts";

/** Maximum bytes of a service's answer. */
const longest = 4 * 1024 * 1024;

/** The address of a running service, to which the paths of routes are appended. */
export function serviceAddress(url = "http://127.0.0.1:8090"): string {
  return url.replace(/\/+$/, "");
}

/**
 * Sends a request to a route of a running service; resolves to the JSON of its answer.
 *
 * @param missing Error text for a service without the route
 * @throws CommandError for every answer that is not successful
 */
export async function askService(
  base: string,
  path: string,
  missing: string,
  init: RequestInit = {},
): Promise<unknown> {
  try {
    const response = await fetchService(base + path, init);
    const text = await readText(response, longest);
    if (response.ok) return JSON.parse(text);
    if (response.status === 401) throw new CommandError(needsToken);
    throw new CommandError(`${base} ${response.status === 404 ? missing : `answered ${response.status}. ${text}`}`);
  } catch (error) {
    const failure = error instanceof SyntaxError ? `${base}${path} is not JSON: is this a tenon service?` : undefined;
    const said = failure ?? describeFailure(base, error);
    throw said === undefined ? error : new CommandError(said);
  }
}
