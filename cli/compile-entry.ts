import { compileProject, formatReport, type CompiledProject } from "../plugin/index.ts";
import { isColoured, say } from "./output.ts";
import { findProject, type Project } from "./project.ts";
import { CommandError } from "./usage.ts";

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
