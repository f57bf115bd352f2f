import type { RecordSource } from "./percent-format.ts";

/**
 * Finds the position in the code at which a function was called, from inside the function; undefined when the stack
 * does not show it.
 */
export function callSite(
  called: (...args: never[]) => unknown,
): (RecordSource & { readonly column: number }) | undefined {
  const limit = Error.stackTraceLimit;
  const holder: { stack?: unknown } = {};
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, called);
  Error.stackTraceLimit = limit;
  const match = /^ +at (?:(?:async )?(.*) \()?((?:file:\/\/)?.*?):(\d+):(\d+)\)?$/m.exec(String(holder.stack));
  if (match === null) return undefined;
  const [, name = "<anonymous>", path = "", line, column] = match;
  return { path: asPath(path), line: Number(line), column: Number(column), function: name };
}

function asPath(text: string): string {
  if (!text.startsWith("file:")) return text;
  try {
    return process.getBuiltinModule("node:url").fileURLToPath(text);
  } catch {
    return text;
  }
}
