import { describeFailure } from "./describe-failure.ts";
import type { Called } from "./address-option.ts";
import { readText } from "./fetch-service.ts";
import { CommandError } from "./usage.ts";

/** Maximum bytes of an answer. */
const longest = 64 * 1024 * 1024;

/**
 * Reads the JSON of an answer, which may come from any program. Rejects with `CommandError` unless it has the form that
 * the command reads.
 */
export async function readAnswer<T>(
  response: Response,
  called: Called,
  isForm: (value: unknown) => value is T,
): Promise<T> {
  const value = await readJson(response);
  if (isForm(value)) return value;
  throw otherForm(response.url, called);
}

/** The error for an answer that this command cannot read. */
export function otherForm(url: string, called: Called): CommandError {
  return new CommandError(`${url} answered in another form: is this a tenon ${called}?`);
}

/** Throws the reason why a request or its answer ended early. */
export function cut(url: string, error: unknown): never {
  const failure = describeFailure(url, error);
  throw failure === undefined ? error : new CommandError(failure);
}

/** Reads the JSON of an answer; undefined for other text. Throws `CommandError` if it ends early or is too long. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response, longest).catch((error: unknown) => cut(response.url, error));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
