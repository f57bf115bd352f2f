/**
 * Replaces `import()` in the built page: fetches the scripts of a view, or of a part of one, when it is first shown,
 * and runs each once, in order, so that a script runs after the scripts that it needs. `wanted`: positions in `names`;
 * `scripts`: the results of scripts, by position. Rejects with a sentence that says what to do.
 */
export async function loadScript(
  wanted: readonly number[],
  names: readonly string[],
  scripts: Record<number, unknown>,
): Promise<unknown> {
  const texts = await Promise.all(
    wanted.map(async (one) => {
      if (scripts[one] !== undefined) return "";
      const response = await fetch(`${location.pathname}?script=${names[one]}`).catch((cause: unknown) => {
        throw new Error("The service cannot be reached.", { cause });
      });
      return response.ok ? response.text() : "";
    }),
  );
  for (const [index, one] of wanted.entries()) {
    if (scripts[one] !== undefined) continue;
    const element = document.createElement("script");
    // The script runs at once, if the page's policy contains the hash of its text.
    element.textContent = texts[index] ?? "";
    document.head.append(element);
    element.remove();
    const open: unknown = Reflect.get(globalThis, "tenonScript");
    Reflect.deleteProperty(globalThis, "tenonScript");
    if (typeof open !== "function") throw new Error("This page is older than the service. Reload it.");
    scripts[one] = open(scripts);
  }
  return scripts[wanted.at(-1) ?? -1];
}
