import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import { defineTool } from "../../runtime/service/tools/registry.ts";
import { type FakeTool, fakeTool } from "./fake-tool.ts";

/** Registers a function as the plugin's code does, and gives it back, as the author's module exports it. */
export function definedTool<Author extends (request: never, job: JobContext) => unknown>(
  author: Author,
  fake: FakeTool & { readonly name: string },
): Author {
  const { definition, functions } = fakeTool(author as unknown as (request: unknown, job: JobContext) => unknown, fake);
  defineTool({ ...definition, source: `test/${fake.name}.ts:1` }, { ...functions, author });
  return author;
}
