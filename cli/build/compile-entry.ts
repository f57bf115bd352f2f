import { relative } from "node:path";
import {
  type CompiledProject,
  compileProject,
  formatReport,
  gatherByFile,
  type ServiceFile,
} from "../../plugin/index.ts";
import { withOwnColours } from "../base/colours.ts";
import { isColoured, say } from "../base/output.ts";
import { findProject, type Project } from "../project/project.ts";
import { CommandError } from "../base/usage.ts";

/** The tools of an entry, and the project that it belongs to. */
export interface CompiledEntry extends CompiledProject {
  readonly project: Project;
}

/** Settings of a compilation that differ between commands. */
export interface CompileManner {
  /** True: as in a build, a model without a URN is a warning. */
  readonly derivesUrns?: boolean;
  /** True: checks the texts of tools by all rules. */
  readonly judgesTexts?: boolean;
  /** True: prints only errors. */
  readonly quiet?: boolean;
  /** True: shows each warning separately. */
  readonly verbose?: boolean;
  /** The compiled entry, if it has been compiled already. */
  readonly made?: CompiledEntry;
}

/** Compiles an entry in memory; the caller decides about findings. */
export async function compileEntry(
  given: string | undefined,
  { derivesUrns = false, judgesTexts = false, made }: CompileManner = {},
): Promise<CompiledEntry> {
  if (made !== undefined) return made;
  const project = findProject(given);
  return { ...(await compileProject({ root: project.root, entry: project.entry, derivesUrns, judgesTexts })), project };
}

/** Compiles an entry in memory; warnings go to standard error, errors end the command. */
export async function compileAll(given: string | undefined, manner: CompileManner = {}): Promise<CompiledEntry> {
  const { quiet = false, verbose = false } = manner;
  const compiled = await compileEntry(given, manner);
  const { diagnostics } = compiled;
  const report = withOwnColours(
    formatReport(verbose ? diagnostics : gatherByFile(diagnostics), { color: isColoured(process.stderr) }),
  );
  if (diagnostics.some(({ level }) => level === "error")) throw new CommandError(report);
  if (diagnostics.length > 0 && !quiet) say(report);
  return compiled;
}

/** The service definition that the code of an entry yields. */
export async function compileServiceFile(
  given: string | undefined,
  manner?: CompileManner,
): Promise<ServiceFile & CompiledEntry> {
  const compiled = await compileAll(given, manner);
  const { service, project, tools } = compiled;
  if (service !== undefined) return { ...compiled, ...service };
  const reason = tools.length === 0 ? "no tool is imported" : "no `new Service({ name: … })` is constructed";
  throw new CommandError(`${relative(process.cwd(), project.entry)} has no service definition: ${reason} there.`);
}
