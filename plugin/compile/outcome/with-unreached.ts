import type { UnreachedTools } from "../../packages/unreached-tools.ts";
import type { Packages } from "../../packages/packages.ts";
import type { CompiledModule } from "../compiled-module.ts";
import type { TenonOptions } from "../options.ts";
import type { Outcome } from "./outcome.ts";

/** The files that a build loaded, and how it looks for tools that it did not load. */
export interface Loaded {
  readonly modules: readonly CompiledModule[];
  /** Absolute paths of all modules. */
  readonly loaded: ReadonlySet<string>;
  readonly options: TenonOptions;
  readonly packages: Packages;
  readonly unreachedTools: UnreachedTools;
}

/** The outcome of a build, and a finding for each file of the service's package with a tool that nothing imports. */
export function withUnreached<T extends Outcome>(
  outcome: T,
  { modules, loaded, options, packages, unreachedTools }: Loaded,
): T {
  const level = options.rules?.["unreached-tool"] ?? "warn";
  const service = modules.find(({ model }) => model.service !== undefined)?.file;
  const root = service === undefined ? undefined : packages.rootOf(service);
  if (level === "off" || outcome.failed || service === undefined || root === undefined) return outcome;
  const found = unreachedTools({ root, service, loaded });
  if (found.length === 0) return outcome;
  if (level === "warn") return { ...outcome, diagnostics: [...outcome.diagnostics, ...found] };
  const errors = found.map((one) => ({ ...one, level: "error" as const }));
  const { serviceFile: _, ...rest } = outcome;
  return { ...(rest as T), diagnostics: [...outcome.diagnostics, ...errors], failed: true };
}
