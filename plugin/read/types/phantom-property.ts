import type { ts } from "ts-morph";

/** Whether a key exists for the checker only: brands, typia's tags, symbols and `#private` names. */
export function isPhantomProperty(property: ts.Symbol): boolean {
  const name = String(property.escapedName);
  return (
    name.startsWith("__@") || name.startsWith("__#") || property.name === "typia.tag" || property.name === "__brand"
  );
}
