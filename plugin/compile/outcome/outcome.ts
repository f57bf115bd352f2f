import { dirname, join, relative } from "node:path";
import { contentHash } from "../cache/content-hash.ts";
import type { KeptOutcome, ModuleCache } from "../cache/module-cache.ts";
import type { CompiledModule } from "../compiled-module.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { movedPaths } from "./moved-paths.ts";
import { linkModules, sortDiagnostics } from "./link.ts";
import type { ProjectOptions } from "../options.ts";
import { otherEntries } from "../../packages/other-entries.ts";
import type { Packages } from "../../packages/packages.ts";
import { readServicePlace } from "../../packages/service-place.ts";
import { readBytes, readText } from "../../read/base/read-text.ts";
import {
  type FileToWrite,
  makeServiceFile,
  type ServiceFile,
  serviceFilePath,
  type ToolTexts,
} from "./service-file.ts";

/** Result of a finished build. */
export interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  /** True if at least one diagnostic is an error. */
  readonly failed: boolean;
  /** Absent after an error, and when no module constructs a `Service`. */
  readonly serviceFile?: FileToWrite;
}

/** An outcome that was computed, not read from the cache. */
export interface Conclusion extends Outcome {
  readonly serviceFile?: ServiceFile & FileToWrite;
  /** Folder of the service's package. */
  readonly root?: string;
}

/** The modules of one build. */
export interface BuiltModules {
  readonly modules: readonly CompiledModule[];
  /**
   * Absolute paths of the bundler's entries, that of the service first; empty if the bundler does not provide them.
   */
  readonly entries: readonly string[];
  readonly options: ProjectOptions;
  readonly packages: Packages;
}

/** Links the modules of one build and makes the service definition. */
export function conclude(build: BuiltModules, texts?: ToolTexts): Conclusion {
  const { modules, entries, packages } = build;
  const { service, diagnostics, ...linked } = linkModules(modules, entries);
  if (diagnostics.some(({ level }) => level === "error")) return { diagnostics, failed: true };
  if (service === undefined) return { diagnostics, failed: false };
  const root = packages.rootOf(service.file) ?? dirname(service.file);
  const made = makeServiceFile(service, linked, root, fileOf(build, root), texts);
  if ("code" in made) return { diagnostics: [...diagnostics, made], failed: true };
  const committed = readText(made.file);
  const foreign = committed === undefined ? undefined : ofAnotherEntry(build, { root, made, committed });
  if (foreign !== undefined) return { diagnostics: [...diagnostics, foreign], failed: true };
  // The definition is only compared after a change: reading that of a thousand tools takes 20 MB, and most builds do
  // not change it.
  const moved =
    committed === undefined || committed === made.text
      ? []
      : movedPaths(
          committed,
          made.definition,
          modules.flatMap(({ tools }) => tools),
        );
  return {
    diagnostics: moved.length === 0 ? diagnostics : sortDiagnostics([...diagnostics, ...moved]),
    failed: false,
    root,
    serviceFile: { ...made, is: (content) => content.toString() === made.text },
  };
}

/** Adds findings to an outcome. If there are any, it counts as failed and has no service definition. */
export function withFindings<T extends Outcome>(outcome: T, found: readonly Diagnostic[]): T {
  if (found.length === 0) return outcome;
  const { serviceFile: _, ...rest } = outcome;
  return { ...(rest as T), diagnostics: sortDiagnostics([...outcome.diagnostics, ...found]), failed: true };
}

/** A build whose outcome may be cached. */
export interface Concluded extends BuiltModules {
  readonly texts: ToolTexts;
  /** Undefined when the cache is off, and in rebuilds, for which all models are in memory. */
  readonly cache: ModuleCache | undefined;
  /** Folder of the project. */
  readonly root: string;
}

/** The outcome of a build. A cached outcome of these modules is reused, so that their models need not be read. */
export function concludeBuild(build: Concluded): Outcome {
  const { modules, texts, cache, root } = build;
  const known = cache?.getOutcome(modules);
  if (known !== undefined && isStill(known, root)) return recall(build, known);
  const made = conclude(build, texts);
  // Only the findings of modules are cached, so an outcome with others is computed again, to report them each time.
  if (!made.failed && made.diagnostics.length === ofModules(modules).length) {
    cache?.setOutcome(modules, toKeep(made, root));
  }
  return made;
}

function ofModules(modules: readonly CompiledModule[]): readonly Diagnostic[] {
  return modules.flatMap(({ diagnostics }) => diagnostics);
}

function toKeep({ serviceFile, root: place }: Conclusion, root: string): KeptOutcome {
  if (serviceFile === undefined || place === undefined) return {};
  return { service: { root: relative(root, place), place: hashOfPlace(place), text: contentHash(serviceFile.text) } };
}

function isStill({ service }: KeptOutcome, root: string): boolean {
  return service === undefined || hashOfPlace(join(root, service.root)) === service.place;
}

function hashOfPlace(root: string): string {
  return contentHash(JSON.stringify(readServicePlace(root)));
}

/** A cached outcome, without new findings between modules, if the existing definition is unchanged. */
function recall(build: Concluded, { service }: KeptOutcome): Outcome {
  const { modules, root } = build;
  const diagnostics = sortDiagnostics(ofModules(modules));
  if (service === undefined) return { diagnostics, failed: false };
  const file = fileOf(build, join(root, service.root));
  const is = (content: Buffer): boolean => contentHash(content) === service.text;
  const committed = readBytes(file);
  if (committed !== undefined && !is(committed)) return conclude(build);
  const serviceFile: FileToWrite = {
    file,
    is,
    get text() {
      return conclude(build).serviceFile?.text ?? "";
    },
  };
  return { diagnostics, failed: false, serviceFile };
}

function fileOf({ modules, entries: [entry], options }: BuiltModules, root: string): string {
  return serviceFilePath(root, options, { entry, modules: modules.map(({ file }) => file) });
}

/**
 * Reports that the committed definition belongs to another service of the package, which a build must not replace.
 * Undefined if it does not.
 */
function ofAnotherEntry(
  { modules, entries, options }: BuiltModules,
  { root, made, committed }: { readonly root: string; readonly made: ServiceFile; readonly committed: string },
): Diagnostic | undefined {
  const { main, isNamed, service } = options;
  if (isNamed === true || service === false) return undefined;
  if (main !== undefined && (entries.length > 0 || modules.some(({ file }) => file === main))) return undefined;
  const name = rootText(committed, "name");
  const isOurs = name === rootText(made.text, "name") && kindOf(committed) === kindOf(made.text);
  if (name === undefined || isOurs) return undefined;
  const others = otherEntries(root, new Set(modules.map(({ file }) => file)));
  const other = others.find((file) => readText(join(root, file))?.includes(name)) ?? others[0];
  if (other === undefined) return undefined;
  return {
    code: "TN406",
    level: "error",
    message: `\`${relative(root, made.file)}\` is the definition of another service of this package, which \`${other}\` starts.`,
    fix:
      main === undefined
        ? `say which entry it belongs to, for example \`"tenon": { "entry": "${other}" }\` in package.json; other entries then have files of their own`
        : "give the bundler the entry as a path, or name the definition with the option `service` of the plugin",
    ...modules.find(({ model }) => model.service !== undefined)?.model.service?.position,
  };
}

function kindOf(definition: string): string | undefined {
  return rootText(definition, "controller-schema");
}

/**
 * Returns the value of a key at the root of a definition without parsing the rest: only keys of the root have this
 * indent.
 */
function rootText(definition: string, key: string): string | undefined {
  return new RegExp(`^  "${key}": (".*"),?$`, "m").exec(definition)?.[1];
}
