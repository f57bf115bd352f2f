/**
 * Makes a project of a given size, always the same, for the benchmarks and the tests of large projects. `node
 * bench/make-project.ts FOLDER [tools] [files] [wide]`.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { wideToolText } from "./wide-tool.ts";

export interface ProjectSize {
  /** Number of tools, each in a file of its own. */
  readonly tools: number;
  /** Number of further source files that the service imports and that have no tool; default 0. */
  readonly files?: number;
  /**
   * The tools call functions of those files, so that a compiler that follows imports reads all of them; default true.
   */
  readonly reached?: boolean;
  /** Every tool has types of its own, of ten fields with nested objects and lists; default: eight models are shared. */
  readonly wide?: boolean;
}

export interface MakeRequest extends ProjectSize {
  /** Emptied first. */
  readonly folder: string;
  /** Folder of the built package to install as `tenon`; default: this checkout. */
  readonly tenon?: string;
}

const shapes = 8;
const here = resolve(import.meta.dirname, "..");

/** Writes the project with links to the packages that it needs. Returns the path of its entry. */
export function makeProject({
  folder,
  tools,
  files = 0,
  reached = true,
  wide = false,
  tenon = here,
}: MakeRequest): string {
  rmSync(folder, { recursive: true, force: true });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write(
    "package.json",
    `${JSON.stringify({ name: "bench-project", version: "1.0.0", private: true, type: "module" })}\n`,
  );
  write("tsconfig.json", tsconfig);
  for (let index = 0; index < shapes; index++) write(`src/models/shape-${index}.ts`, modelText(index));
  for (let index = 0; index < files; index++) write(`src/parts/part-${index}.ts`, partText(index, files));
  for (let index = 0; index < tools; index++)
    write(`src/tools/tool-${index}.ts`, wide ? wideToolText(index) : toolText(index, reached ? files : 0));
  write("src/service.ts", serviceText(tools, files));
  link(tenon, join(folder, "node_modules/tenon"));
  link(join(here, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  link(join(here, "node_modules/undici-types"), join(folder, "node_modules/undici-types"));
  return join(folder, "src/service.ts");
}

/** Path of a tool's file, and of a file that declares one of its types, for benchmarks of an edit. */
export const editable = { tool: "src/tools/tool-0.ts", model: "src/models/shape-0.ts" } as const;

/** Links a folder, for example a package. */
export function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "dir");
}

/** The tsconfig of `tenon init`. */
export const tsconfig = `${JSON.stringify(
  {
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      types: ["node"],
      strict: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ["src"],
  },
  null,
  2,
)}\n`;

function modelText(index: number): string {
  return `/** A place on a map. */
export interface Place${index} {
  /** Degrees north. @minimum -90 @maximum 90 */
  latitude: number;
  /** Degrees east. @minimum -180 @maximum 180 */
  longitude: number;
  /** What people call it. @minLength 1 @maxLength 200 */
  label?: string;
}

/** How sure a finding is. */
export type Confidence${index} = "low" | "medium" | "high";

/** One thing that was found. */
export interface Finding${index} {
  /** Number of the finding. @type uint32 */
  id: number;
  /** Where it is. */
  at: Place${index};
  /** How sure it is. */
  confidence: Confidence${index};
  /** Words that describe it. @maxItems 20 */
  labels: string[];
}
`;
}

function toolText(index: number, files: number): string {
  const shape = index % shapes;
  const withJob = index % 3 === 0;
  const part = files === 0 ? undefined : (index * 7) % files;
  return `${withJob ? 'import { type JobContext, ValueError } from "tenon";\n' : ""}import type { Finding${shape}, Place${shape} } from "../models/shape-${shape}.js";
${part === undefined ? "" : `import { part${part} } from "../parts/part-${part}.js";\n`}
/** @schema urn:bench:schema.tool-${index}.request.1 */
export interface Tool${index}Request {
  /** Where to look. */
  center: Place${shape};
  /** How far around it, in metres. @minimum 1 @maximum 100000 */
  radius: number;
  /** What to look for. @minLength 1 @maxLength 100 */
  query: string;
  /** Which kinds count. @minItems 1 */
  kinds: ("road" | "river" | "house" | "tree")[];
  /** At most so many. @type uint32 @maximum 1000 @default 10 */
  limit?: number;
  /** Only what changed since. */
  since?: Date;
  /** Weight of each kind. */
  weights?: Record<string, number>;
  /** How to sort. */
  order: { by: "distance"; descending: boolean } | { by: "label"; locale: string };
}

/** @schema urn:bench:schema.tool-${index}.1 */
export interface Tool${index}Result {
  /** What was found. */
  findings: Finding${shape}[];
  /** How many there are in all. @type uint32 */
  total: number;
  /** When it was looked up. */
  at: Date;
}

const cities = new Map<string, Place${shape}>([["here", { latitude: 0, longitude: 0 }]]);

function distance(a: Place${shape}, b: Place${shape}): number {
  const [dx, dy] = [a.longitude - b.longitude, a.latitude - b.latitude];
  return Math.sqrt(dx * dx + dy * dy) * ${111_000 + index};
}

/**
 * Looks for things of kind ${index} around a place.
 * @tool
 * @readonly
 */
export function tool${index}(request: Tool${index}Request${withJob ? ", job: JobContext" : ""}): Tool${index}Result {
  const { center, radius, query, limit = 10 } = request;
${withJob ? '  if (query === "none") throw new ValueError(`No such thing in job ${job.jobId}.`);\n' : ""}  const findings: Finding${shape}[] = [];
  for (const [label, at] of cities) {
    if (distance(center, at) > radius || !label.includes(query)) continue;
    findings.push({ id: findings.length, at, confidence: "high", labels: [label${part === undefined ? "" : `, part${part}(radius)`}] });
    if (findings.length === limit) break;
  }
  return { findings, total: findings.length, at: request.since ?? new Date() };
}
`;
}

/** A tree of modules in which each imports two more. */
function partText(index: number, files: number): string {
  const children = [2 * index + 1, 2 * index + 2].filter((child) => child < files);
  return `${children.map((child) => `import { part${child} } from "./part-${child}.js";\n`).join("")}
export interface Options${index} {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly nested: { readonly flag: boolean; readonly callback: (value: number) => string };
}

const known = new Map<number, string>();

export class Worker${index} {
  readonly #options: Options${index};
  constructor(options: Options${index}) {
    this.#options = options;
  }
  run(value: number): string {
    const { name, sizes, nested } = this.#options;
    const sum = sizes.reduce((total, size) => total + size * value, 0);
    if (nested.flag) return nested.callback(sum);
    return \`\${name}: \${sum}\`;
  }
}

export function part${index}(value: number): string {
  const found = known.get(value);
  if (found !== undefined) return found;
  const worker = new Worker${index}({ name: "part ${index}", sizes: [1, 2, 3], nested: { flag: value > 1, callback: String } });
  const text = [worker.run(value)${children.map((child) => `, part${child}(value)`).join("")}].join(" ");
  known.set(value, text);
  return text;
}
`;
}

function serviceText(tools: number, files: number): string {
  const imports = Array.from({ length: tools }, (_, index) => `import "./tools/tool-${index}.js";\n`);
  return `import { Service, startLambdaServer } from "tenon";
${imports.join("")}${files === 0 ? "" : 'import { part0 } from "./parts/part-0.js";\n\nif (process.env.PART !== undefined) console.log(part0(1));\n'}
await startLambdaServer(new Service({ name: "Bench", description: "A service of ${tools} tools." }));
`;
}

if (process.argv[1] === import.meta.filename) {
  const [folder, tools = "100", files = "0", shape] = process.argv.slice(2);
  if (folder === undefined) throw new Error("node bench/make-project.ts FOLDER [tools] [files] [wide]");
  const size = { tools: Number(tools), files: Number(files), wide: shape === "wide" };
  console.log(makeProject({ folder: resolve(folder), ...size }));
}
