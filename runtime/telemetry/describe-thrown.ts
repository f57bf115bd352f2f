/** What is known of a thrown value, as log data. */
export interface ThrownDescription {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ThrownDescription;
}

/** Describes anything that can be thrown, also what throws when it is looked at (a revoked Proxy, a getter). */
export function describeThrown(thrown: unknown, depth = 0): ThrownDescription {
  try {
    if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
    const { name, message, stack, cause } = thrown;
    return {
      type: String(name),
      message: String(message),
      ...(typeof stack === "string" ? { stack } : {}),
      ...(cause === undefined || depth >= 4 ? {} : { cause: describeThrown(cause, depth + 1) }),
    };
  } catch {
    return { type: typeof thrown, message: "[not printable]" };
  }
}

/** What `describeThrown` gave as text under a log line: the stack, else the message, with the causes; empty for anything else. */
export function thrownText(description: unknown): string {
  if (typeof description !== "object" || description === null || !("message" in description)) return "";
  const { stack, type, message, cause } = description as { readonly [name: string]: unknown };
  const text = typeof stack === "string" ? stack : `${String(type)}: ${String(message)}`;
  const causes = thrownText(cause);
  return `\n${text}${causes === "" ? "" : `\nCaused by: ${causes.slice(1)}`}`;
}
