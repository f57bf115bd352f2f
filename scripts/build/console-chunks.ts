import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { transform } from "esbuild";
import { type ModuleInfo, type OutputChunk, rolldown } from "rolldown";

const loader = "runtime/web/console/base/load-script.ts";

/** The scripts of a page, before they are shortened. */
export interface ConsoleChunks {
  /** The script of the page itself. `nameOf` gives the name by which it asks for the script of a view. */
  first(nameOf: (view: string) => string): string;
  /** The script of each view, by the name of its module. It sets a function that makes the view of what is shared. */
  readonly views: ReadonlyMap<string, string>;
  /** Modules in all of them. */
  readonly files: readonly string[];
}

/**
 * Bundles a page and its views. The first script gives the others what it has and they need: a page whose policy names
 * hashes cannot import modules.
 */
export async function consoleChunks(entry: string, target: readonly string[]): Promise<ConsoleChunks> {
  let first: ReadonlySet<string> = new Set();
  const bundle = await rolldown({
    input: { page: entry },
    platform: "browser",
    tsconfig: false,
    transform: {
      target: [...target],
      // Calls of `h` with children behind its properties are a twentieth shorter than those of the JSX runtime.
      jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
      inject: { h: ["preact", "h"], Fragment: ["preact", "Fragment"] },
    },
    plugins: [
      {
        name: "first-script",
        buildEnd() {
          first = firstModules([...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? []));
        },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: { groups: [{ name: "page", test: (id) => first.has(id) }] },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const page = chunks.find(({ fileName }) => fileName === "page.js");
  if (page === undefined || page.imports.length > 0) throw new Error(`${entry} was not bundled into one script.`);
  const views = chunks.filter((chunk) => chunk !== page);
  const load = await transform(readFileSync(loader, "utf8"), { loader: "ts" });
  return {
    first: (nameOf) => `${load.code.replace(/export \{[^}]*\};/, "")}\n${pageCode(page, nameOf)}`,
    views: new Map(views.map((chunk) => [basename(chunk.fileName, ".js"), viewCode(chunk)])),
    files: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

/** Modules that the page needs before it shows a view, and those that several views need. */
function firstModules(modules: readonly ModuleInfo[]): ReadonlySet<string> {
  const known = new Map(modules.map((module) => [module.id, module]));
  const reached = (id: string, into = new Set<string>()): ReadonlySet<string> => {
    if (into.has(id)) return into;
    into.add(id);
    for (const next of known.get(id)?.importedIds ?? []) reached(next, into);
    return into;
  };
  const page = modules.filter(({ isEntry }) => isEntry).flatMap(({ id }) => [...reached(id)]);
  const views = new Set(modules.flatMap(({ dynamicallyImportedIds }) => dynamicallyImportedIds));
  const counts = new Map<string, number>();
  for (const view of views) for (const id of reached(view)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Set([...page, ...[...counts].filter(([, count]) => count > 1).map(([id]) => id)]);
}

function pageCode({ code }: OutputChunk, nameOf: (view: string) => string): string {
  return code
    .replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, (_, view: string) => `loadScript("${nameOf(view)}", shared)`)
    .replace(/\bexport \{([^}]*)\};?\s*$/, (_, names: string) => `function shared() { return {${swapped(names)}}; }`);
}

function viewCode({ code, fileName }: OutputChunk): string {
  const [line = "", taken = ""] = /^import \{([^}]*)\} from "\.\/page\.js";/.exec(code) ?? [];
  const inner = code
    .slice(line.length)
    .replace(/\bexport \{([^}]*)\};?\s*$/, (_, names: string) => `return {${swapped(names)}};`);
  if (/^(?:import|export) /m.test(inner)) throw new Error(`${fileName} has code of another view.`);
  return `globalThis.tenonView = ({${taken.replaceAll(" as ", ": ")}}) => {${inner}};`;
}

/** `local as name` as `name: local`. */
function swapped(names: string): string {
  return names.replaceAll(/([\w$]+) as ([\w$]+)/g, "$2: $1");
}
