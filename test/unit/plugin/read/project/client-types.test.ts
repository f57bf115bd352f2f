import { resolve } from "node:path";
import { expect, test } from "vitest";
import { openConfig } from "../../../../../plugin/read/project/compiler-config.ts";
import { ProjectProgram } from "../../../../../plugin/read/project/project-program.ts";
import { createSourceHost } from "../../../../../plugin/read/project/source-host.ts";

/** Paths of the files that the compiler loads for a tool that has a job context. */
function filesOfTool(): readonly string[] {
  const root = resolve(".");
  const file = resolve("client-types-of-a-tool.ts");
  const host = createSourceHost(root);
  host.override(
    file,
    'import type { JobContext } from "./runtime/index.ts";\nexport function look(job: JobContext): string {\n  return job.jobId;\n}\n',
  );
  const program = new ProjectProgram({
    host,
    roots: new Set([file]),
    smallest: "lean",
    openConfig: () => openConfig(root, resolve("tsconfig.json"), file),
  });
  return program
    .get()
    .getSourceFiles()
    .map(({ fileName }) => fileName);
}

test("types of the language model's client, which are more than all others, are not loaded for a job context", () => {
  const files = filesOfTool();
  expect(files).toContain(resolve("runtime/outside/llm/openai-types.ts"));
  expect(files.filter((file) => file.includes("/node_modules/openai/"))).toEqual([]);
});
