import type { Plugin } from "rolldown";
import { moduleRunnerTransform } from "rolldown/experimental";

/** Rewrites each module to the body of a function, in which an import is a call that is awaited. */
export function functionBodies(): Plugin {
  return {
    name: "tenon-dev-function-bodies",
    renderChunk: {
      order: "post",
      async handler(code, { isEntry, fileName }) {
        if (!isEntry) return undefined;
        const { code: body, map, errors } = await moduleRunnerTransform(fileName, code, { sourcemap: true });
        const [error] = errors;
        if (error !== undefined) throw new Error(error.message);
        return { code: body, map: JSON.stringify(map) };
      },
    },
  };
}
