import type { ToolDefinition, ToolFunctions } from "../../contract/contract.ts";
import type { ToolOptions } from "./tool-options.ts";

/** A tool of a running service. */
export interface Tool {
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly functions: ToolFunctions;
  readonly options: ToolOptions;
  /** REST path, resolved: the author's, `/tool` for an only tool, else `/tool/<name>`. */
  readonly path: string;
  /** A second path that answers in the same way: `/tool/<name>` of a tool at `/tool`. */
  readonly alias?: string;
}

/** All paths on which a tool answers, the one that its definition names first. */
export function pathsOf({ path, alias }: Tool): readonly string[] {
  return alias === undefined ? [path] : [path, alias];
}
