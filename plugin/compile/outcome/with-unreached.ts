import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { exportsWithoutMark, javaScriptTools } from "../../packages/javascript-tools.ts";
import type { UnreachedRequest, UnreachedTools } from "../../packages/unreached-tools.ts";
import type { Packages } from "../../packages/packages.ts";
import type { CompiledModule } from "../compiled-module.ts";
import type { TenonOptions } from "../options.ts";
import type { Outcome } from "./outcome.ts";

/** The files that a build loaded, and how it finds tools that it did not load. */
export interface Loaded {
  readonly modules: readonly CompiledModule[];
  /** Absolute paths of all modules. */
  readonly loaded: ReadonlySet<string>;
  readonly options: TenonOptions;
  readonly packages: Packages;
  readonly unreachedTools: UnreachedTools;
  /** Texts that an editor shows instead of files, by absolute path. */
  readonly edits?: ReadonlyMap<string, string>;
}

/**
 * Adds a finding for each tool that a build does not serve, because it is in a file of the service's package that
 * nothing imports, or in JavaScript.
 */
export function withUnreached<T extends Outcome>(
  outcome: T,
  { modules, loaded, options, packages, unreachedTools, edits }: Loaded,
): T {
  const level = options.rules?.["unreached-tool"] ?? "warn";
  const service = modules.find(({ hasService }) => hasService)?.file;
  const root = service === undefined ? undefined : packages.rootOf(service);
  if (service === undefined || root === undefined) return outcome;
  const request = { root, service, loaded, ...(edits && { edits }) };
  const diagnostics = outcome.diagnostics.map((one) => withNames(one, request));
  const isOff = level === "off" || (outcome.failed && !diagnostics.some(({ code }) => code === "TN408"));
  const found = isOff ? [] : [...(outcome.failed ? [] : unreachedTools(request)), ...javaScriptTools(request)];
  if (found.length === 0) return outcome.failed ? { ...outcome, diagnostics } : outcome;
  if (level === "warn") return { ...outcome, diagnostics: [...diagnostics, ...found] };
  const errors = found.map((one) => ({ ...one, level: "error" as const }));
  const { serviceFile: _, ...rest } = outcome;
  return { ...(rest as T), diagnostics: [...diagnostics, ...errors], failed: true };
}

/** Removes what a build that stopped early cannot know: that the service has no tools. */
export function withoutAbsences<T extends Outcome>(outcome: T): T {
  const diagnostics = outcome.diagnostics.filter(({ code }) => code !== "TN408");
  return { ...outcome, diagnostics, failed: diagnostics.some(({ level }) => level === "error") };
}

/** Adds the names of unmarked functions to the finding about a service without tools. */
function withNames(diagnostic: Diagnostic, request: UnreachedRequest): Diagnostic {
  const names = diagnostic.code === "TN408" ? exportsWithoutMark(request) : [];
  if (names.length === 0) return diagnostic;
  const shown = names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return {
    ...diagnostic,
    message: `${diagnostic.message.replace(/: it imports.*$/, "")}: no comment of what it imports has \`@tool\`. It exports ${shown.join(", ")}.`,
    fix: "mark each function that is a tool with `@tool` in its comment",
  };
}
