import type { ToolDefinition, ToolFunctions } from "../../contract/contract.ts";
import type { ToolOptions } from "./tool-options.ts";

/** A tool of a running service. */
export interface Tool {
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly functions: ToolFunctions;
  readonly options: ToolOptions;
  /** Resolved REST path: the author's, `/tool` for the only tool of a service, else `/tool/<name>`. */
  readonly path: string;
  /** A second path of the same tool: `/tool/<name>` for a tool at `/tool`. */
  readonly alias?: string;
}

/** All paths of a tool, first the path that its definition names. */
export function pathsOf({ path, alias }: Tool): readonly string[] {
  return alias === undefined ? [path] : [path, alias];
}
