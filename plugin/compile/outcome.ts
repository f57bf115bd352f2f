import { dirname, join, relative } from "node:path";
import { contentHash } from "./cache/content-hash.ts";
import type { KeptOutcome, ModuleCache } from "./cache/module-cache.ts";
import type { CompiledModule } from "./compiled-module.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { movedPaths } from "./moved-paths.ts";
import { linkModules, sortDiagnostics } from "./link.ts";
import type { TenonOptions } from "./options.ts";
import type { Packages } from "../packages/packages.ts";
import {
  type FileToWrite,
  makeServiceFile,
  readIfThere,
  readServicePlace,
  type ServiceFile,
  serviceFilePath,
  type ToolTexts,
} from "./service-file.ts";

/** Result of a finished build. */
export interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  /** At least one diagnostic is an error. */
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

/** Links the modules of one build and makes the service definition. */
export function conclude(
  modules: readonly CompiledModule[],
  options: TenonOptions,
  packages: Packages,
  texts?: ToolTexts,
): Conclusion {
  const { service, diagnostics, ...linked } = linkModules(modules);
  if (diagnostics.some(({ level }) => level === "error")) return { diagnostics, failed: true };
  if (service === undefined) return { diagnostics, failed: false };
  const root = packages.rootOf(service.file) ?? dirname(service.file);
  const made = makeServiceFile(service, linked, root, options, texts);
  if ("code" in made) return { diagnostics: [...diagnostics, made], failed: true };
  const committed = readIfThere(made.file);
  // Reading the definition of a thousand tools takes 20 MB; most builds change nothing in it.
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
    serviceFile: { ...made, is: (text) => text === made.text },
  };
}

/** An outcome with errors that were found elsewhere. */
export function withFindings<T extends Outcome>(outcome: T, found: readonly Diagnostic[]): T {
  if (found.length === 0) return outcome;
  const { serviceFile: _, ...rest } = outcome;
  return { ...(rest as T), diagnostics: sortDiagnostics([...outcome.diagnostics, ...found]), failed: true };
}

/** A build whose outcome may be cached. */
export interface Concluded {
  readonly modules: readonly CompiledModule[];
  readonly options: TenonOptions;
  readonly packages: Packages;
  readonly texts: ToolTexts;
  /** Undefined when the cache is off, and in rebuilds, which have all models in memory. */
  readonly cache: ModuleCache | undefined;
  /** Folder of the project. */
  readonly root: string;
}

/** The outcome of a build. A cached outcome of these modules is reused, so that their models need not be read. */
export function concludeBuild(build: Concluded): Outcome {
  const { modules, options, packages, texts, cache, root } = build;
  const known = cache?.getOutcome(modules);
  if (known !== undefined && isStill(known, root)) return recall(build, known);
  const made = conclude(modules, options, packages, texts);
  if (!made.failed) cache?.setOutcome(modules, toKeep(made, root));
  return made;
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

/** Only errors arise between modules, and there were none. */
function recall({ modules, options, packages, root }: Concluded, { service }: KeptOutcome): Outcome {
  const diagnostics = sortDiagnostics(modules.flatMap((module) => module.diagnostics));
  if (service === undefined) return { diagnostics, failed: false };
  const serviceFile: FileToWrite = {
    file: serviceFilePath(join(root, service.root), options),
    is: (text) => contentHash(text) === service.text,
    get text() {
      return conclude(modules, options, packages).serviceFile?.text ?? "";
    },
  };
  return { diagnostics, failed: false, serviceFile };
}
