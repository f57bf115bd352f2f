import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import { machineLine } from "./machine.ts";
import { textTable } from "./table.ts";

/** What a bench script prints into the file that `--json` names. */
export interface Report {
  readonly machine: string;
  readonly figures: readonly Figure[];
}

/** What a bench script was asked for, and where its figures go. */
export interface BenchScript {
  /** Few rounds: shows that it works, and roughly where it stands. */
  readonly quick: boolean;
  /** Words of the command line that are no flags. */
  readonly words: readonly string[];
  /** A line of progress, on standard error. */
  progress(text: string): void;
  /** Prints the figures as tables, and writes them as JSON when asked. */
  finish(figures: readonly Figure[]): void;
}

/** Every script of `bench/` takes `[--quick] [--json FILE]`, so that `bench/run.ts` can run them all. */
export function benchScript(words: readonly string[] = process.argv.slice(2)): BenchScript {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { quick: { type: "boolean" }, json: { type: "string" } },
  });
  const before = machineLine();
  return {
    quick: values.quick === true,
    words: positionals,
    progress: (text) => void process.stderr.write(`  ${text}\n`),
    finish(figures) {
      for (const figure of figures) console.log(`${textTable(figure)}\n`);
      const report: Report = { machine: machineLine(before), figures };
      console.log(report.machine);
      if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
    },
  };
}
