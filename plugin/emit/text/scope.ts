import type { ToolModel } from "../../model/tool.ts";
import { namePrefix, memberText, stringText } from "./js-text.ts";
import type { RuntimeName } from "./runtime-names.ts";
import type { Definitions } from "../facts/type-facts.ts";
import { type NamedTypes, type NameOf, nameTypes } from "../facts/type-names.ts";

/** Collects the generated code of one tool: constants and imported names. */
export interface Scope {
  readonly definitions: Definitions;
  /** True if decoders accept unique items that are equal once they are read: nobody is left to whom to refuse them. */
  readonly takesEqualItems: boolean;
  readonly imports: Set<RuntimeName>;
  /**
   * Functions, as `name=text`. They come before the constants: their bodies use constants only when they are called.
   */
  readonly functions: string[];
  /** All other constants, as `name=text`, in the order of evaluation. */
  readonly constants: string[];
  /**
   * Returns the name of a constant. `make` returns its text; it is called once per key, and may already use the name.
   * The name is `base`, followed by a number if `base` is taken.
   */
  readonly constant: (key: string, base: string, make: () => string) => string;
  /** Name of an existing constant by its key. */
  readonly known: (key: string) => string | undefined;
  /** Returns the name of a type for use in names of functions. */
  readonly nameOf: NameOf;
  /** Imports a helper of the runtime and returns its local name. */
  readonly helper: (name: RuntimeName) => string;
}

/**
 * Creates a scope whose constants do not shadow `binding`, which is the only expression of the author in the generated
 * code.
 */
export function createScope(
  model: NamedTypes & Pick<ToolModel, "binding">,
  { takesEqualItems = false }: Partial<Pick<Scope, "takesEqualItems">> = {},
): Scope {
  const imports = new Set<RuntimeName>();
  const functions: string[] = [];
  const constants: string[] = [];
  const names = new Map<string, string>();
  const taken = new Set(model.binding.match(/[\w$]+/g));
  /** The next number to try for each base: all below are taken. */
  const numbers = new Map<string, number>();
  return {
    definitions: model.definitions,
    takesEqualItems,
    nameOf: nameTypes(model),
    imports,
    functions,
    constants,
    constant(key, base, make) {
      const known = names.get(key);
      if (known !== undefined) return known;
      let name = base;
      let number = numbers.get(base) ?? 2;
      while (taken.has(name)) name = `${base}${number++}`;
      numbers.set(base, number);
      taken.add(name);
      names.set(key, name);
      const text = make();
      (/^(?:v|\(\))=>/.test(text) ? functions : constants).push(`${name}=${text}`);
      return name;
    },
    known: (key) => names.get(key),
    helper(name) {
      imports.add(name);
      return importAlias(name);
    },
  };
}

/**
 * Returns the name of a caching wrapper around the function that `make` names: during one outermost call, that function
 * is called once per object. `key` identifies the wrapper.
 */
export function remembered(key: string, base: string, make: () => string | undefined, scope: Scope): string {
  return scope.constant(`remember:${key}`, `${base}Once`, () => {
    const memory = scope.constant("memory", "memory", () => "{}");
    return `v=>${scope.helper("remember")}(${memory},${make() ?? "v=>v"},v)`;
  });
}

/** The alias of a runtime name inside an author's module. */
export function importAlias(name: RuntimeName): string {
  return `${namePrefix}_${name}`;
}

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

/** True for a key that every object inherits, so that only an own key counts. */
export function isInherited(key: string): boolean {
  return inherited.has(key);
}

/** Makes the expression that reads a key of an object. A name that all objects inherit counts only as an own key. */
export function readKey(object: string, key: string, scope: Scope): string {
  return isInherited(key) ? `${scope.helper("own")}(${object},${stringText(key)})` : memberText(object, key);
}
