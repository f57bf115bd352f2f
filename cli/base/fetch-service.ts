import { CommandError } from "./usage.ts";

/** Hint for an answer with status 401. */
export const needsToken = "The service needs a valid access token: set TENON_TOKEN to one.";

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Matches what a header can carry as a token: visible ASCII characters (RFC 9110, section 5.5). */
const tokenText = /^[\x21-\x7e]+$/;

/** Makes the `authorization` of the caller, if `TENON_TOKEN` is set. Throws `CommandError` if it is not a token. */
export function callerAuthorization(): string | undefined {
  const token = process.env["TENON_TOKEN"]?.trim() ?? "";
  if (token === "") return undefined;
  if (tokenText.test(token)) return `Bearer ${token}`;
  throw new CommandError("TENON_TOKEN is not a token: it has blanks, line ends or characters that are not ASCII.");
}

/**
 * `fetch` for a running service, with the access token of `TENON_TOKEN` if it is set. The token has no flag, since
 * others on the machine can read command lines. A redirect is not followed: the user named a host, and the service
 * could name any other, such as one that only this machine reaches. Instead it rejects with a `CommandError` that names
 * the target.
 */
export async function fetchService(url: string, init: RequestInit = {}): Promise<Response> {
  const authorization = callerAuthorization();
  const headers = new Headers(init.headers);
  if (authorization !== undefined) headers.set("authorization", authorization);
  const response = await fetch(url, { ...init, headers, redirect: "manual" });
  if (!redirects.has(response.status)) return response;
  await response.body?.cancel();
  const target = URL.parse(response.headers.get("location") ?? "", url)?.href ?? "another address";
  throw new CommandError(`${url} sends callers on to ${target}. If you trust that, give its address.`);
}

/** Reads the body of an answer as text, up to a number of bytes. Rejects with `CommandError` if it is longer. */
export async function readText(response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    // Leaving the loop closes the connection.
    if (length > most) throw new CommandError(`${response.url} answered with more than ${most} bytes.`);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
