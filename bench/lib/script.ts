import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import { machineLine } from "./machine.ts";
import { textTable } from "./table.ts";

/** Output of a bench script in the file that `--json` names. */
export interface Report {
  readonly machine: string;
  readonly figures: readonly Figure[];
}

/** Arguments of a bench script, and the receiver of its figures. */
export interface BenchScript {
  /** Few rounds: shows that the script works, and a rough result. */
  readonly quick: boolean;
  /** Positional arguments. */
  readonly words: readonly string[];
  /** Prints a line of progress to standard error. */
  progress(text: string): void;
  /** Prints the figures as tables, and writes them as JSON if requested. */
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
