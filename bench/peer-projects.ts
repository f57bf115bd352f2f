import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeProject } from "./make-project.ts";

const packages = resolve(import.meta.dirname, "node_modules");

/**
 * Writes the tools of `makeProject` for unplugin-typia: each module requests the parser, writer and schemas of its
 * tool.
 */
export function makeTypiaProject(folder: string, tools: number): void {
  makeProject({ folder, tools });
  symlinkSync(join(packages, "typia"), join(folder, "node_modules/typia"), "dir");
  for (const file of globSync("src/tools/*.ts", { cwd: folder })) {
    const path = join(folder, file);
    const number = /(\d+)\.ts$/.exec(file)?.[1] ?? "";
    const plain = withoutTenon(readFileSync(path, "utf8"), number);
    const asked = `export const parse = typia.json.createValidateParse<Tool${number}Request>();
export const stringify = typia.json.createValidateStringify<Tool${number}Result>();
export const schemas = typia.json.schemas<[Tool${number}Request, Tool${number}Result], "3.1">();
`;
    writeFileSync(path, `import typia from "typia";\n${plain}\n${asked}`);
  }
  const numbers = Array.from({ length: tools }, (_, index) => index);
  writeFileSync(
    join(folder, "src/service.ts"),
    `${numbers.map((index) => `import * as tool${index} from "./tools/tool-${index}.js";\n`).join("")}
export const tools = [${numbers.map((index) => `tool${index}`).join(", ")}];
`,
  );
}

/** Writes the tools of `makeProject` for tsoa: each module has a controller with a method that takes its request. */
export function makeTsoaProject(folder: string, tools: number): void {
  makeProject({ folder, tools });
  symlinkSync(join(packages, "@tsoa"), join(folder, "node_modules/@tsoa"), "dir");
  // Its generator does not make the folder.
  mkdirSync(join(folder, "out"));
  for (let index = 0; index < tools; index++) {
    const path = join(folder, `src/tools/tool-${index}.ts`);
    writeFileSync(
      path,
      `import { Body, Controller, Post, Route } from "@tsoa/runtime";
${withoutTenon(readFileSync(path, "utf8"), String(index))}
@Route("tool/tool${index}")
export class Tool${index}Controller extends Controller {
  @Post() run(@Body() request: Tool${index}Request): Tool${index}Result {
    return tool${index}(request);
  }
}
`,
    );
  }
  writeFileSync(
    join(folder, "tsoa.json"),
    JSON.stringify({
      entryFile: "src/service.ts",
      noImplicitAdditionalProperties: "ignore",
      controllerPathGlobs: ["src/tools/*.ts"],
      spec: { outputDirectory: "out", specVersion: 3 },
      routes: { routesDir: "out", middleware: "express" },
    }),
  );
}

/** A tool's module as a plain function. */
function withoutTenon(text: string, number: string): string {
  return text
    .replace(/^import .* from "tenon";\n/, "class ValueError extends Error {}\n")
    .replace(", job: JobContext", "")
    .replace("${job.jobId}", number);
}

/** Writes as many tools for xmcp, with schemas written by hand with zod. */
export function makeXmcpProject(folder: string, tools: number): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write("package.json", '{ "name": "bench-xmcp", "version": "1.0.0", "private": true, "type": "module" }\n');
  write(
    "tsconfig.json",
    `${JSON.stringify({
      compilerOptions: { target: "es2023", module: "esnext", moduleResolution: "bundler", strict: true, noEmit: true },
      include: ["src"],
    })}\n`,
  );
  write(
    "xmcp.config.ts",
    `export default { http: true, paths: { tools: "src/tools", prompts: false, resources: false } };\n`,
  );
  for (let index = 0; index < tools; index++) write(`src/tools/tool-${index}.ts`, xmcpToolText(index));
  symlinkSync(packages, join(folder, "node_modules"), "dir");
}

function xmcpToolText(index: number): string {
  return `import type { InferSchema, ToolMetadata } from "xmcp";
import { z } from "zod";

const place = z.object({
  latitude: z.number().min(-90).max(90).describe("Degrees north."),
  longitude: z.number().min(-180).max(180).describe("Degrees east."),
  label: z.string().min(1).max(200).optional().describe("What people call it."),
});

export const schema = {
  center: place.describe("Where to look."),
  radius: z.number().min(1).max(100000).describe("How far around it, in metres."),
  query: z.string().min(1).max(100).describe("What to look for."),
  kinds: z.array(z.enum(["road", "river", "house", "tree"])).min(1).describe("Which kinds count."),
  limit: z.number().int().min(0).max(1000).default(10).describe("At most so many."),
  since: z.iso.datetime().optional().describe("Only what changed since."),
  weights: z.record(z.string(), z.number()).optional().describe("Weight of each kind."),
  order: z
    .discriminatedUnion("by", [
      z.object({ by: z.literal("distance"), descending: z.boolean() }),
      z.object({ by: z.literal("label"), locale: z.string() }),
    ])
    .describe("How to sort."),
};

export const metadata: ToolMetadata = {
  name: "tool${index}",
  description: "Looks for things of kind ${index} around a place.",
  annotations: { readOnlyHint: true },
};

export default function tool({ center, radius, query, limit }: InferSchema<typeof schema>) {
  const far = Math.hypot(center.latitude, center.longitude) * ${111_000 + index};
  const findings = far > radius || !query.includes("here") ? [] : [{ id: 0, at: center, labels: [query] }].slice(0, limit);
  return { structuredContent: { findings, total: findings.length } };
}
`;
}
