import { openProject as open, type ReadOptions, type SourceProject } from "../../plugin/read/project.ts";

/** Parsing and binding them takes longer than most tests, and nobody changes them while tests run. */
const libraries: NonNullable<ReadOptions["libraries"]> = new Map();

/** Opens a project as the plugin does; all of a test worker share the parsed libraries. */
export function openProject(options: ReadOptions): SourceProject {
  return open({ ...options, libraries });
}
