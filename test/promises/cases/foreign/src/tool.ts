/** Imports a CommonJS module when it is called.
 * @tool */
export async function importCommonJs(): Promise<string[]> {
  const { greet, default: whole } = await import("./greeter.cjs");
  return [greet("Ann"), (whole as { greet: typeof greet }).greet("Bob")];
}

/** Imports JSON when it is called.
 * @tool */
export async function importJson(): Promise<string[]> {
  const { default: settings } = await import("./settings.json", { with: { type: "json" } });
  return [settings.colour, String(settings.sizes.length)];
}
