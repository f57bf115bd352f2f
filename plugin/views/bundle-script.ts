import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Plugin, PluginContext, ResolveIdResult } from "rolldown";
import { keyExpression } from "../../runtime/contract/process-keys.ts";
import { viewKey } from "../../runtime/contract/view-page.ts";
import { mayConcern } from "../packages/find-tool-files.ts";
import { isOwnFile, ownModule } from "../packages/own-module.ts";
import { assetEndings } from "./asset.ts";
import { findJsxSource } from "./jsx-source.ts";
import { styleFiles } from "./style-files.ts";
import type { StyleText } from "./style-text.ts";
import { placeIn, type ViewProblem } from "./view-problem.ts";

/** A script of a view, bundled with everything that it imports. */
export interface ScriptText {
  readonly code: string;
  readonly style: string;
  /** Absolute paths of all files in the script. */
  readonly files: readonly string[];
  readonly problems: readonly ViewProblem[];
}

/** A script: a file, or a text inside of one. */
export interface ScriptSource {
  /** Absolute. */
  readonly file: string;
  /** Text of a script inside the file. */
  readonly text?: string | undefined;
}

const entryId = "\0tenon:view-entry";
const inlineId = "\0tenon:view-inline.js";

/**
 * Bundles a script for browsers into one minified module. JSX is compiled for the library that the author has chosen.
 */
export async function bundleScript({ file, text }: ScriptSource): Promise<ScriptText> {
  const { rolldown } = await import("rolldown");
  const sheets: StyleText[] = [];
  const problems: ViewProblem[] = [];
  const files = new Set([file]);
  const jsx = file.endsWith("x") ? await findJsxSource(file) : undefined;
  const entry =
    jsx === undefined || text !== undefined
      ? `import ${JSON.stringify(text === undefined ? file : inlineId)};`
      : `import * as view from ${JSON.stringify(file)};
import { useEffect, useState } from ${JSON.stringify(jsx.hooks)};
${jsx.mount}
globalThis[${keyExpression(viewKey)}].hooks = { useEffect, useState };
if (typeof view.default === "function") mount(document.querySelector("#root"));`;
  const { importSource } = jsx ?? {};
  const build = await rolldown({
    input: entryId,
    cwd: dirname(file),
    platform: "browser",
    transform: {
      target: "es2022",
      define: { "process.env.NODE_ENV": '"production"' },
      ...(importSource !== undefined && { jsx: { importSource } }),
    },
    moduleTypes: Object.fromEntries(assetEndings.map((ending) => [ending, "dataurl" as const])),
    plugins: [ownFiles({ file, text }, entry, { files, problems }), styleFiles(entryId, { sheets, problems })],
    // Messages are ignored: problems that fail a view are found by the plugins above, or thrown as exceptions.
    onLog: () => {},
    preserveEntrySignatures: false,
  });
  try {
    const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false });
    const [{ code, moduleIds }] = output;
    for (const id of moduleIds) problems.push(...toolProblem(id));
    for (const sheet of sheets) for (const one of sheet.files) files.add(one);
    const style = sheets.map((sheet) => sheet.text).join("\n");
    return { code: code.trim(), style, files: [...files].filter((one) => !isOwnFile(one)), problems };
  } catch (error) {
    return { code: "", style: "", files: [...files], problems: [...problems, ...bundlerProblems(error, file)] };
  } finally {
    await build.close();
  }
}

interface Found {
  readonly files: Set<string>;
  readonly problems: ViewProblem[];
}

/** Resolves the entry and `tenon/view`. Imports of the entry are resolved as if the entry were in the view's folder. */
function ownFiles({ file, text }: ScriptSource, entry: string, { files, problems }: Found): Plugin {
  return {
    name: "tenon-view",
    resolveId: {
      order: "pre",
      async handler(specifier, importer) {
        if (specifier === entryId || specifier === inlineId) return specifier;
        const own = ownModule(specifier);
        if (own !== undefined) return own;
        if (specifier.startsWith("node:") || builtinModules.includes(specifier))
          return refuseBuiltin(this, specifier, { file, importer, problems });
        if (importer !== entryId && importer !== inlineId) return undefined;
        const resolved = await this.resolve(specifier, file, { skipSelf: true });
        // The view is imported for its side effects, even if its package.json says that it has none.
        return resolved && { ...resolved, moduleSideEffects: true };
      },
    },
    load(id) {
      // Files that cannot be parsed are included, since saving them again may fix them.
      if (!id.startsWith("\0")) files.add(id.replace(/[?#].*$/, ""));
      return id === entryId ? entry : id === inlineId ? text : undefined;
    },
  };
}

/** Reports the import of a Node module as a problem, unless a package has the same name. */
async function refuseBuiltin(
  context: PluginContext,
  name: string,
  {
    file,
    importer,
    problems,
  }: { readonly file: string; readonly importer: string | undefined; problems: ViewProblem[] },
): Promise<ResolveIdResult> {
  const installed = name.startsWith("node:") ? null : await context.resolve(name, importer, { skipSelf: true });
  if (installed !== null && !installed.external) return installed;
  const at = importer === undefined || importer.startsWith("\0") ? file : importer;
  const text = readFileSync(at, "utf8");
  problems.push({
    message: `A browser has no \`${name}\`.`,
    fix: "have the tool do it, and return the result",
    file: at,
    ...placeIn(text, Math.max(text.search(new RegExp(`["']${name}["']`)), 0)),
  });
  return { id: name, external: true };
}

/** Returns the problem of a view that imports a tool as a value and would therefore contain the server's code. */
function toolProblem(id: string): readonly ViewProblem[] {
  if (id.startsWith("\0") || id.includes("/node_modules/") || isOwnFile(id)) return [];
  const text = /\.[cm]?tsx?$/.test(id) ? readFileSync(id, "utf8") : "";
  if (!mayConcern(id, text)) return [];
  return [
    {
      message: "The view imports this module of a tool as a value, so that the code of the server would be in it.",
      fix: "import its type alone: `import type { isPrime } from …`, and call the tool by `useTool` or `connectTool`",
      file: id,
    },
  ];
}

interface BundlerError {
  readonly message: string;
  readonly id?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
}

/** Errors of the bundler, without its frames. */
function bundlerProblems(error: unknown, view: string): readonly ViewProblem[] {
  const found = (error as { readonly errors?: readonly BundlerError[] }).errors ?? [error as BundlerError];
  return found.map(({ message, id, loc }) => {
    const named = loc?.file ?? id ?? view;
    // A script inside of an HTML file has the line numbers of that file.
    const file = named.includes("tenon:view-") ? view : named;
    const [first = ""] = stripVTControlCharacters(message)
      .replace(/^\[\w+\] /, "")
      .split("\n");
    const sentence = `${first}${/[.!?]$/.test(first) ? "" : "."}`;
    const fix = first.startsWith("Could not resolve")
      ? { fix: "correct the path; a package is installed with `npm install`" }
      : {};
    if (loc === undefined) return { message: sentence, ...fix, file };
    const lineText = readFileSync(file, "utf8").split("\n")[loc.line - 1];
    return {
      message: sentence,
      ...fix,
      file,
      line: loc.line,
      column: loc.column + 1,
      ...(lineText !== undefined && { lineText }),
    };
  });
}
