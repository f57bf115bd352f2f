import { visibleLine } from "../../runtime/base/visible-text.ts";
import { baseAddress } from "../base/address-option.ts";
import { fetchService, needsToken, readText } from "../base/fetch-service.ts";
import { cut, readAnswer } from "../base/read-answer.ts";
import { CommandError } from "../base/usage.ts";

/** Maximum bytes of a text that explains a failure. */
const longest = 4 * 1024 * 1024;

/** The address of a running service, to which the paths of routes are appended. Throws `UsageError`. */
export function serviceAddress(url = "http://127.0.0.1:8090"): string {
  return baseAddress(url, "service");
}

/** A request to a route of a service. */
interface Asked<T> extends RequestInit {
  /** Error text for a service without the route. */
  readonly missing: string;
  /** Checks the form of the answer. */
  readonly isForm: (value: unknown) => value is T;
}

/**
 * Sends a request to a route of a running service; resolves to the JSON of its answer.
 *
 * @throws CommandError for every answer that is not successful, or of another form
 */
export async function askService<T>(base: string, path: string, { missing, isForm, ...init }: Asked<T>): Promise<T> {
  const response = await fetchService(base + path, init).catch((error: unknown) => cut(base, error));
  if (response.ok) return readAnswer(response, "service", isForm);
  const text = await readText(response, longest).catch((error: unknown) => cut(base, error));
  if (response.status === 401) throw new CommandError(needsToken);
  const answered = `answered ${response.status}. ${visibleLine(text.slice(0, 1000))}`;
  throw new CommandError(`${base} ${response.status === 404 ? missing : answered}`);
}
