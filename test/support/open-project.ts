import { resolve } from "node:path";
import { createPatternJudge } from "../../plugin/read/base/judge-pattern.ts";
import {
  openProject as open,
  type ReadOptions,
  type SharedWork,
  type SourceProject,
} from "../../plugin/read/open-project.ts";

/** Parsing and binding libraries and judging patterns takes longer than most tests. */
const shared: SharedWork = {
  libraries: { folders: [`${resolve("node_modules")}/`, `${resolve("runtime")}/`], files: new Map() },
  judgePattern: createPatternJudge(),
};

/** Opens a project as the plugin does; all of a test worker share what does not change while tests run. */
export function openProject(options: ReadOptions): SourceProject {
  return open({ ...options, shared });
}
