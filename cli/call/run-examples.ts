import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ServiceFile } from "../../plugin/index.ts";
import { bundle } from "../build/bundle.ts";
import { CommandError } from "../base/usage.ts";
import { findProject } from "../project/project.ts";

/** The outcome of one `@example`. */
export interface ExampleRun {
  readonly tool: string;
  /** The example's title, else its request. */
  readonly title: string;
  readonly ok: boolean;
  /** The result as JSON, or the error as the author sees it. */
  readonly answer: string;
}

/**
 * Builds the service, and runs each tool with its examples, one after the other, each in a separate process with
 * `--test-file`, which works both for services that listen and for batch services.
 */
export async function runExamples(
  entry: string | undefined,
  { tools }: Pick<ServiceFile["definition"], "tools">,
): Promise<readonly ExampleRun[]> {
  const all = tools.flatMap(({ name, examples = [] }) => examples.map((example) => ({ ...example, tool: name })));
  if (all.length === 0) return [];
  const project = findProject(entry);
  const outdir = join(project.root, ".tenon", "check");
  const { files } = await bundle(project, { outdir, definition: false });
  const service = files.find((one) => one.entry)?.file;
  if (service === undefined) throw new CommandError("The build wrote no entry.");
  const runs: ExampleRun[] = [];
  for (const [index, { tool, title, request }] of all.entries()) {
    const file = join(outdir, `example-${index + 1}.json`);
    mkdirSync(outdir, { recursive: true });
    // The request is wrapped in an envelope, since the request itself may look like one.
    writeFileSync(file, JSON.stringify({ "in-content-type": "application/json", "in-content": request }));
    const words = ["--enable-source-maps", join(outdir, service), "--test-file", file, "--tool", tool];
    const child = spawn(process.execPath, [...words, "--test-without-sidecar"], { stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "close") as Promise<[number | null]>;
    const [output, problem, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    const ok = code === 0;
    runs.push({ tool, title: title ?? JSON.stringify(request), ok, answer: (ok ? output : problem).trimEnd() });
  }
  return runs;
}
