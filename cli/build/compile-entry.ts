import { relative } from "node:path";
import {
  type CompiledProject,
  compileProject,
  formatReport,
  gatherByFile,
  type ServiceFile,
} from "../../plugin/index.ts";
import { isColoured, say } from "../base/output.ts";
import { findProject, type Project } from "../project/project.ts";
import { CommandError } from "../base/usage.ts";

/** Settings by which commands compile differently. */
export interface CompileManner {
  /** As a build does: a model without a URN is a warning. */
  readonly derivesUrns?: boolean;
  /** Errors only. */
  readonly quiet?: boolean;
  /** Each warning in a place of its own. */
  readonly verbose?: boolean;
}

/** Compiles an entry in memory; warnings go to standard error, errors end the command. */
export async function compileAll(
  given: string | undefined,
  { derivesUrns = false, quiet = false, verbose = false }: CompileManner = {},
): Promise<CompiledProject & { readonly project: Project }> {
  const project = findProject(given);
  const compiled = await compileProject({ root: project.root, entry: project.entry, derivesUrns });
  const { diagnostics } = compiled;
  const report = formatReport(verbose ? diagnostics : gatherByFile(diagnostics), {
    color: isColoured(process.stderr),
  });
  if (diagnostics.some(({ level }) => level === "error")) throw new CommandError(report);
  if (diagnostics.length > 0 && !quiet) say(report);
  return { ...compiled, project };
}

/** The service definition that an entry's code asks for. */
export async function compileServiceFile(
  given: string | undefined,
  manner?: CompileManner,
): Promise<ServiceFile & CompiledProject & { readonly project: Project }> {
  const compiled = await compileAll(given, manner);
  const { service, project, tools } = compiled;
  if (service !== undefined) return { ...compiled, ...service };
  const reason = tools.length === 0 ? "no tool is imported" : "no `new Service({ name: … })` is constructed";
  throw new CommandError(`${relative(process.cwd(), project.entry)} has no service definition: ${reason} there.`);
}
