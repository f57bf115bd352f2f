import { dirname } from "node:path";
import type { LoweredModule } from "../read/lower-decorators.ts";

/** Matches a module that may have a decorator; tags of comments are not meant. */
export const mayDecorate: RegExp =
  /(?:^|[;}(=,]|\*\/|\{(?!@(?:link|inheritDoc|label))|\b(?:export|default|return))\s*@[A-Za-z_$(]/m;

/**
 * Lowers the standard decorators of a module: rolldown, and with it Vite, leaves them in its output, where they are a
 * syntax error at start. Undefined for a module without decorators.
 */
export async function lowerStandardDecorators(code: string, file: string): Promise<LoweredModule | undefined> {
  if (!mayDecorate.test(code)) return undefined;
  const { parse } = await import("rolldown/utils");
  const { program } = await parse(file, code, { lang: file.endsWith("x") ? "tsx" : "ts" });
  if (!hasDecorator(program)) return undefined;
  const { lowerDecorators } = await import("../read/lower-decorators.ts");
  return lowerDecorators(code, file, dirname(file));
}

function hasDecorator(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("decorators" in node && Array.isArray(node.decorators) && node.decorators.length > 0) return true;
  return Object.values(node).some(hasDecorator);
}
