import { findTool } from "./describe.ts";
import { StartError, UsageError } from "../../base/start-error.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** A tool in the author's code: the exported function. */
export type Worker = (...args: never[]) => unknown;

/**
 * Selects the tool whose jobs a batch service runs: the one of `--tool`, else the function given to the start call,
 * else the only one. Throws `StartError`.
 */
export function chooseWorker(tools: readonly Tool[], worker: Worker | undefined, name: string | undefined): Tool {
  if (name !== undefined) return findTool(tools, name);
  if (worker !== undefined) {
    const tool = tools.find(({ functions }) => functions.author === worker) ?? byName(tools, worker.name);
    if (tool !== undefined) return tool;
    throw new StartError(
      `startBatchService was given ${worker.name === "" ? "a function without a name" : `the function ${worker.name}`}, ` +
        "which is not a tool. Check that the build uses tenon's plugin, and that the function is exported and carries the tag @tool.",
    );
  }
  const [only, ...others] = tools;
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    `A batch service runs one tool, and this one has several: ${tools.map((tool) => tool.name).join(", ")}. ` +
      "Name it with --tool NAME, or in the entry: startBatchService(service, worker).",
  );
}

function byName(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find(({ definition, functions }) => functions.author === undefined && definition.name === name);
}
