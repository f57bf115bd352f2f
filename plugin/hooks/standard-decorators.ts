import { dirname, normalize } from "node:path";
import { isOwnFile } from "../packages/own-module.ts";
import type { LoweredModule } from "../read/lower-decorators.ts";

/** Matches a module that may have a decorator; tags in comments do not match. */
export const mayDecorate: RegExp =
  /(?:^|[;}(=,]|\*\/|\{(?!@(?:link|inheritDoc|label))|\b(?:export|default|return))\s*@[A-Za-z_$(]/m;

/**
 * Lowers the standard decorators of a module: rolldown, and with it Vite, leaves them in its output, where they are a
 * syntax error at start. Undefined for a module without decorators.
 */
export async function lowerStandardDecorators(code: string, file: string): Promise<LoweredModule | undefined> {
  if (!mayDecorate.test(code)) return undefined;
  const { parse } = await import("rolldown/utils");
  const lang = script.test(file) ? "jsx" : file.endsWith("x") ? "tsx" : "ts";
  const { program } = await parse(file, code, { lang });
  if (!hasDecorator(program)) return undefined;
  const { lowerDecorators } = await import("../read/lower-decorators.ts");
  return lowerDecorators(code, file, dirname(file));
}

/** Matches a module that may have `using` or `await using`. */
export const mayUse: RegExp = /\busing\s+[A-Za-z_$][\w$]*\s*(?:[=:]|of\b)/;

/** Lowers `using` for a Node that does not support it, if the bundler leaves it in its output. */
export async function lowerUsing(code: string, file: string): Promise<LoweredModule | undefined> {
  if (!mayUse.test(code)) return undefined;
  const { lowerDecorators } = await import("../read/lower-decorators.ts");
  return lowerDecorators(code, file, dirname(file));
}

/** Hooks of a separate plugin, since the code filter of the other hooks would match nearly every script. */
export interface ScriptHooks {
  readonly name: "tenon:decorators";
  readonly enforce: "pre";
  readonly transform: {
    readonly order: "pre";
    readonly filter: { readonly id: RegExp; readonly code: RegExp };
    handler(code: string, id: string): Promise<LoweredModule | undefined>;
  };
}

const script = /\.[cm]?jsx?$/;

/** Lowers the decorators in JavaScript of the author, and of packages that are published with decorators. */
export function scriptHooks(): ScriptHooks {
  return {
    name: "tenon:decorators",
    enforce: "pre",
    transform: {
      order: "pre",
      // The pattern contains no lookahead, with which rolldown could not use its quick search.
      filter: { id: script, code: /(?:^|[;}(=,{]|\*\/|\b(?:export|default|return))\s*@[A-Za-z_$(]/m },
      handler: async (code, id) =>
        script.test(id) && !isOwnFile(normalize(id)) ? lowerStandardDecorators(code, id) : undefined,
    },
  };
}

function hasDecorator(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("decorators" in node && Array.isArray(node.decorators) && node.decorators.length > 0) return true;
  return Object.values(node).some(hasDecorator);
}
