/** The arguments by name, for a function that takes them by position. */
export function requestOf(
  args: readonly unknown[],
  parameters: readonly string[] | undefined,
): Record<string, unknown> {
  if (parameters === undefined) return { ...(args[0] as object | undefined) };
  const entries = parameters.map((name, index) =>
    name.startsWith("...") ? [name.slice("...".length), args.slice(index)] : [name, args[index]],
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** The inverse of {@link requestOf}. */
export function argumentsOf(
  request: Readonly<Record<string, unknown>>,
  parameters: readonly string[] | undefined,
): readonly unknown[] {
  if (parameters === undefined) return [request];
  return parameters.flatMap((name) => {
    if (!name.startsWith("...")) return [request[name]];
    const rest = request[name.slice("...".length)];
    return Array.isArray(rest) ? (rest as readonly unknown[]) : [];
  });
}
