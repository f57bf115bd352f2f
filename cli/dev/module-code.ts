/** Exports of a module. */
export type Namespace = Readonly<Record<string, unknown>>;

/** Arguments of a module's code, in this order. */
export type ModuleParameters = readonly [
  exports: object,
  meta: ImportMeta,
  load: (specifier: string, imported?: { readonly importedNames?: readonly string[] }) => Promise<Namespace>,
  loadLater: (specifier: string, options?: ImportCallOptions) => Promise<Namespace>,
  exportAll: (from: Namespace) => void,
];

/** A module as a function. */
export type ModuleCode = (...given: ModuleParameters) => Promise<void>;

// Parameter names that Vite's module runner uses.
const load = "__vite_ssr_import__";

/** Name of the function that a compiled module calls for `import()`. */
export const laterImport = "__vite_ssr_dynamic_import__";
const parameters = ["__vite_ssr_exports__", "__vite_ssr_import_meta__", load, laterImport, "__vite_ssr_exportAll__"];

/** Extension of the files with compiled modules that `tenon dev` loads. */
export const codeExtension = ".cjs";

/** True for an import of a compiled module's file. */
export function isModuleFile(specifier: string): boolean {
  return specifier.startsWith("./") && specifier.endsWith(codeExtension);
}

/**
 * Builds the text of a compiled module's file, with unchanged line numbers. The function keeps a reference to the
 * file's CommonJS module, because Node keeps its source map only as long as that module exists.
 */
export function codeFile(body: string, first: readonly string[]): string {
  const imports = first.map((specifier) => `await ${load}(${JSON.stringify(specifier)});`).join("");
  return `module.exports=((file,module,exports)=>async function(${parameters.join()}){"use strict";file;${imports}${body}\n})(module);\n`;
}
