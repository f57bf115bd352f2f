/** Hint for an answer with status 401. */
export const needsToken = "The service needs a valid access token: set TENON_TOKEN to one.";

/**
 * `fetch` for a running service, with the access token of `TENON_TOKEN` if it is set. The token has no flag, since
 * others on the machine can read command lines.
 */
export function fetchService(url: string, init: RequestInit = {}): Promise<Response> {
  const token = process.env["TENON_TOKEN"];
  if (token === undefined || token === "") return fetch(url, init);
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  return fetch(url, { ...init, headers });
}
