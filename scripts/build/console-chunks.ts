import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { transform } from "esbuild";
import { type ModuleInfo, type OutputChunk, rolldown } from "rolldown";

const loader = "runtime/web/console/base/load-script.ts";
const firstName = "page";
/** Views that need a module from which on it is in the first script, and characters for which a script is not made. */
const mostSharing = 5;
const leastShared = 8000;

/** A script that a page loads later, before it is shortened. */
export interface ConsoleChunk {
  readonly name: string;
  readonly code: string;
}

/** The scripts of a page. */
export interface ConsoleChunks {
  /** Scripts that are loaded later: each stands behind those that it needs. */
  readonly later: readonly ConsoleChunk[];
  /** Makes the first script. `names`: those by which the page asks for the later scripts, in the order of `later`. */
  readonly first: (names: readonly string[]) => string;
  /** The names of the scripts of each view, in the order in which they run. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  /** The same for each part that a view loads when the part is first shown. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** Modules in all of them. */
  readonly files: readonly string[];
}

/**
 * Bundles a page and its views. Each script gives those behind it what it has and they need: a page whose policy names
 * hashes cannot import modules.
 */
export async function consoleChunks(entry: string, target: readonly string[]): Promise<ConsoleChunks> {
  let groups: ReadonlyMap<string, string> = new Map();
  const bundle = await rolldown({
    input: { [firstName]: entry },
    preserveEntrySignatures: "allow-extension",
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
        name: "scripts-of-views",
        buildEnd() {
          groups = groupsOf([...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? []));
        },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "of several views", name: (id) => groups.get(id) ?? null }],
    },
  });
  await bundle.close();
  const chunks = new Map(output.flatMap((file) => (file.type === "chunk" ? [[nameOf(file.fileName), file]] : [])));
  const first = chunks.get(firstName);
  if (first === undefined || first.imports.length > 0) throw new Error(`${entry} was not bundled into one script.`);
  const load = await transform(readFileSync(loader, "utf8"), { loader: "ts" });
  const order = (name: string): readonly string[] => [
    ...new Set([...needsOf(chunks.get(name)).flatMap(order), ...(name === firstName ? [] : [name])]),
  ];
  const ordered = (files: readonly string[]): ReadonlyMap<string, readonly string[]> =>
    new Map(files.map((file) => [nameOf(file), order(nameOf(file))]));
  const views = ordered(first.dynamicImports);
  const inViews = [...chunks.values()].filter((chunk) => chunk !== first).flatMap((chunk) => chunk.dynamicImports);
  const parts = ordered([...new Set(inViews)]);
  const later = [...new Set([...views.values(), ...parts.values()].flat())];
  const placesOf = (names: readonly string[] = []): string => JSON.stringify(names.map((one) => later.indexOf(one)));
  const prelude = load.code.replace(/export \{[^}]*\};/, "");
  return {
    first: (names) => prelude + loaderOf(parts, names, placesOf) + firstCode(first, views, placesOf),
    later: later.map((name) => ({ name, code: laterCode(name, chunks.get(name), (one) => later.indexOf(one)) })),
    views,
    parts,
    files: [...chunks.values()].flatMap(({ moduleIds }) => moduleIds),
  };
}

/** The script in which each module stands that the page or several views need. */
function groupsOf(modules: readonly ModuleInfo[]): ReadonlyMap<string, string> {
  const known = new Map(modules.map((module) => [module.id, module]));
  const reached = (id: string, into = new Set<string>()): ReadonlySet<string> => {
    if (into.has(id)) return into;
    into.add(id);
    for (const next of known.get(id)?.importedIds ?? []) reached(next, into);
    return into;
  };
  const page = new Set(modules.filter(({ isEntry }) => isEntry).flatMap(({ id }) => [...reached(id)]));
  // Modules that a part shares with its view are in the scripts of the view, which are loaded before the part's.
  const viewIds = modules.filter(({ id }) => page.has(id)).flatMap((module) => module.dynamicallyImportedIds);
  const views = new Map(viewIds.map((id) => [id, reached(id)]));
  const groups = new Map<string, string>();
  for (const { id } of modules) {
    const users = [...views].filter(([, needs]) => needs.has(id)).map(([view]) => basename(view).replace(/\.\w+$/, ""));
    if (page.has(id) || users.length >= mostSharing) groups.set(id, firstName);
    else if (users.length > 1) groups.set(id, users.toSorted().join("-and-"));
  }
  for (const name of new Set(groups.values())) {
    const own = modules.filter(({ id }) => groups.get(id) === name);
    const isSmall = own.reduce((sum, { code }) => sum + (code?.length ?? 0), 0) < leastShared;
    const isFree = own.every((module) =>
      module.importedIds.every((id) => [name, firstName].includes(groups.get(id) ?? "")),
    );
    if (isSmall && isFree) for (const { id } of own) groups.set(id, firstName);
  }
  return groups;
}

function needsOf(chunk: OutputChunk | undefined): readonly string[] {
  return (chunk?.imports ?? []).map(nameOf);
}

function nameOf(file: string): string {
  return basename(file, ".js");
}

/** Makes the functions by which the page loads its views, and views their parts. */
function loaderOf(
  parts: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
  placesOf: (chunks: readonly string[]) => string,
): string {
  const places = [...parts].map(([part, chunks]) => `${JSON.stringify(part)}: ${placesOf(chunks)}`);
  return `
    const scripts = {};
    const loadAll = (wanted) => loadScript(wanted, ${JSON.stringify(names)}, scripts);
    scripts.load = (part) => loadAll({${places.join()}}[part]);
  `;
}

function firstCode(
  { code }: OutputChunk,
  views: ReadonlyMap<string, readonly string[]>,
  placesOf: (chunks: readonly string[] | undefined) => string,
): string {
  return code
    .replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, (_, view: string) => `loadAll(${placesOf(views.get(view))})`)
    .replace(/\bexport \{([^}]*)\};?\s*$/, (_, names: string) => `scripts.${firstName} = {${swapped(names)}};`);
}

/** Makes a later script, which names those that it needs by their place: a page has all scripts of its build. */
function laterCode(name: string, chunk: OutputChunk | undefined, placeOf: (chunk: string) => number): string {
  const inner = (chunk?.code ?? "")
    .replaceAll(/^import \{([^}]*)\} from "\.\/([\w-]+)\.js";/gm, (_, taken: string, from: string) => {
      const key = from === firstName ? `.${from}` : `[${placeOf(from)}]`;
      return `const {${taken.replaceAll(" as ", ": ")}} = scripts${key};`;
    })
    .replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, (_, part: string) => `scripts.load(${JSON.stringify(part)})`)
    .replace(/\bexport \{([^}]*)\};?\s*$/, (_, names: string) => `return {${swapped(names)}};`);
  if (/^(?:import|export) /m.test(inner)) throw new Error(`${name} has an import that is not understood.`);
  return `globalThis.tenonScript = (scripts) => {${inner}};`;
}

/** `local as name` as `name: local`. */
function swapped(names: string): string {
  return names.replaceAll(/([\w$]+) as ([\w$]+)/g, "$2: $1");
}
