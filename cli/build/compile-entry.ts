import { relative } from "node:path";
import { type CompiledProject, compileProject, formatReport, type ServiceFile } from "../../plugin/index.ts";
import { isColoured, say } from "../base/output.ts";
import { findProject, type Project } from "../project/project.ts";
import { CommandError } from "../base/usage.ts";

/** Compiles an entry in memory; warnings go to standard error, errors end the command. */
export async function compileAll(given: string | undefined): Promise<CompiledProject & { readonly project: Project }> {
  const project = findProject(given);
  const compiled = await compileProject({ root: project.root, entry: project.entry });
  if (compiled.diagnostics.length > 0) {
    const report = formatReport(compiled.diagnostics, { color: isColoured(process.stderr) });
    if (compiled.diagnostics.some(({ level }) => level === "error")) throw new CommandError(report);
    say(report);
  }
  return { ...compiled, project };
}

/** The service definition for an entry's code. */
export async function compileServiceFile(given: string | undefined): Promise<ServiceFile> {
  const { service, project, tools } = await compileAll(given);
  if (service !== undefined) return service;
  const reason = tools.length === 0 ? "no tool is imported" : "no `new Service({ name: … })` is constructed";
  throw new CommandError(`${relative(process.cwd(), project.entry)} has no service definition: ${reason} there.`);
}
