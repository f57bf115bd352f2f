import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compilerOptions } from "../lib/build-service.ts";

const root = resolve(import.meta.dirname, "../..");
const dependencies = { pg: "8" };
const paths = { tenon: [join(root, "dist/runtime/index.d.ts")] };

/** A tool that keeps steps, and one that only calls the same functions. */
export type Kind = "steps" | "plain";

/** Writes a project of `tools` tools with three steps each, or without; returns its folder. */
export function durableProject(name: string, tools: number, kind: Kind): string {
  const folder = join(root, "bench/.cache", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "src"), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write(
    "package.json",
    JSON.stringify({ name: "bench-durable", version: "1.0.0", private: true, type: "module", dependencies }),
  );
  write("tsconfig.json", JSON.stringify({ compilerOptions: { ...compilerOptions, paths }, include: ["src"] }));
  const text = Array.from({ length: tools }, (_, index) => toolText(`work${index === 0 ? "" : index}`, kind));
  write("src/service.ts", serviceText(text.join("\n")));
  return folder;
}

function serviceText(tools: string): string {
  return `import { Service, platformLambda, startLambdaServer } from "tenon";
import type { JobContext } from "tenon";

export interface WorkRequest {
  /** Number of steps. @type uint32 */
  steps: number;
  text: string;
}

export interface Piece {
  index: number;
  text: string;
}

export interface WorkResult {
  /** Characters of all steps. */
  length: number;
}

${tools}
platformLambda(work, { executorOpts: { maxWorkers: 50 } });
const server = await startLambdaServer(new Service({ name: "Durable" }));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: Number(new URL(server.url).port) });
`;
}

function toolText(name: string, kind: Kind): string {
  const step = (word: string, options: string): string =>
    kind === "steps"
      ? `await job.step("${word}",${options} (): Piece => ({ index, text }))`
      : "await Promise.resolve<Piece>({ index, text })";
  return `/**
 * Does work in steps.
 * @tool
 */
export async function ${name}({ steps, text }: WorkRequest, job: JobContext): Promise<WorkResult> {
  let length = 0;
  for (let index = 0; index < steps; index++) {
    const kept = ${step("work", " { key: index },")};
    length += kept.text.length;
  }
  ${
    name === "work"
      ? ""
      : `if (steps > 1e6) {
    const index = 0;
    const one = ${step("first", "")};
    const other = ${step("second", "")};
    length += one.index + other.index;
  }
  `
  }return { length: length + (job.signal.aborted ? 1 : 0) };
}
`;
}
