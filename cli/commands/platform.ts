import { nearestName } from "../../runtime/contract/nearest-name.ts";
import { type CommandHelp, UsageError } from "../base/usage.ts";

/** A subcommand: `run` gets its arguments and resolves to the exit code. */
interface Part {
  readonly run: (words: readonly string[]) => Promise<number>;
  readonly help: CommandHelp;
}

// Loaded on demand: listing jobs does not need a database.
export const parts: Readonly<Record<string, () => Promise<Part>>> = {
  serve: () => import("../platform/serve.ts"),
  submit: () => import("../platform/submit.ts"),
  jobs: () => import("../platform/jobs.ts"),
  watch: () => import("../platform/watch.ts"),
  artifacts: () => import("../platform/artifacts.ts"),
  redrive: () => import("../platform/redrive.ts"),
  send: () => import("../platform/send.ts"),
  fork: () => import("../platform/fork.ts"),
  replay: () => import("../platform/replay.ts"),
};

/** `tenon platform` serves; `tenon platform <part>` sends a request to a running platform. */
export async function run(words: readonly string[]): Promise<number> {
  const [first = "", ...rest] = words;
  const part = Object.hasOwn(parts, first) ? parts[first] : undefined;
  if (part !== undefined) return (await part()).run(rest);
  if (/^[a-z-]+$/.test(first) && !first.startsWith("-")) {
    const meant = nearestName(first, Object.keys(parts));
    const question = meant === undefined ? "" : ` Did you mean \`tenon platform ${meant}\`?`;
    throw new UsageError(
      `tenon platform has no part ${JSON.stringify(first)}.${question} Parts: ${Object.keys(parts).join(", ")}; services are files (service.json) or URLs.`,
    );
  }
  return (await import("../platform/serve.ts")).run(words);
}
