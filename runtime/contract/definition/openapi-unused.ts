import type { JsonObject, JsonValue } from "../contract.ts";

/** Components that paths reach, directly or by others. */
export function withoutUnused(components: JsonObject, paths: Readonly<Record<string, JsonObject>>): JsonObject {
  const used = new Set<string>();
  const visit = (value: JsonValue | undefined): void => {
    if (typeof value !== "object" || value === null) return;
    const ref = Array.isArray(value) ? undefined : (value as JsonObject)["$ref"];
    if (typeof ref === "string" && !used.has(ref)) {
      used.add(ref);
      const [, , kind = "", name = ""] = ref.split("/");
      visit((components[kind] as JsonObject | undefined)?.[name]);
    }
    for (const part of Object.values(value as JsonObject)) visit(part);
  };
  for (const path of Object.values(paths)) visit(path);
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]): [string, JsonValue] => {
      const entries = Object.entries((named ?? {}) as JsonObject);
      return [kind, Object.fromEntries(entries.filter(([name]) => used.has(`#/components/${kind}/${name}`)))];
    }),
  );
}
