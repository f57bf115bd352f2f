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
