import { dirname } from "node:path";
import type { CompiledModule } from "./compiled-module.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { linkModules } from "./link.ts";
import type { TenonOptions } from "./options.ts";
import type { Packages } from "./packages.ts";
import { makeServiceFile, type ServiceFile } from "./service-file.ts";

/** What a finished build has to tell. */
export interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  /** At least one diagnostic is an error. */
  readonly failed: boolean;
  /** Absent when something failed or no module constructs a `Service`. */
  readonly serviceFile?: ServiceFile;
}

/** Links the modules of one build and makes the service definition. */
export function conclude(modules: readonly CompiledModule[], options: TenonOptions, packages: Packages): Outcome {
  const { definitions, service, diagnostics } = linkModules(modules);
  if (diagnostics.some(({ level }) => level === "error")) return { diagnostics, failed: true };
  if (service === undefined) return { diagnostics, failed: false };
  const root = packages.rootOf(service.file) ?? dirname(service.file);
  const made = makeServiceFile(service, definitions, root, options);
  return "code" in made
    ? { diagnostics: [...diagnostics, made], failed: true }
    : { diagnostics, failed: false, serviceFile: made };
}
