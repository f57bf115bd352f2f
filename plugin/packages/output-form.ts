import { join } from "node:path";
import { readPackageJson } from "./read-package-json.ts";
import type { Packages } from "./packages.ts";

/** The parts of a build's output by which Node decides how to run a file. */
export interface OutputForm {
  /** Absolute. */
  readonly folder: string;
  /** Name of one of its files. */
  readonly file: string;
  readonly kind: "module" | "commonjs";
  /** The options of the bundler that name files `.mjs`, and that make ES modules. */
  readonly options: { readonly extension: string; readonly format: string };
}

/** A warning about output that Node would run as the other kind of module; undefined if it runs. */
export function cannotRun({ folder, file, kind, options }: OutputForm, packages: Packages): string | undefined {
  if (!file.endsWith(".js")) return undefined;
  const root = packages.rootOf(join(folder, file));
  const isModule = root !== undefined && readPackageJson(root)["type"] === "module";
  if (isModule === (kind === "module")) return undefined;
  return kind === "module"
    ? `tenon: ${file} is an ES module, and no package.json above it says "type": "module", so that node may not run it: ` +
        `set \`${options.extension}\`.`
    : `tenon: ${file} is CommonJS, and the package.json above it says "type": "module", so that node does not run it: ` +
        `set \`${options.format}\`.`;
}
