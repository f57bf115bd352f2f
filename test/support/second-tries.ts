/** A Vitest reporter that lists, at the end, each test that failed first and passed when it was repeated. */
import type { Reporter, TestCase } from "vitest/node";

export class SecondTries implements Reporter {
  readonly #found: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const errors = test.result().errors ?? [];
    const reasons = errors.map(({ message, stacks }) => `    ${message}${placeOf(stacks)}`);
    this.#found.push([`  ${test.module.relativeModuleId} > ${test.fullName}`, ...reasons].join("\n"));
  }

  onTestRunEnd(): void {
    if (this.#found.length === 0) return;
    process.stderr.write(`\nPassed in their second try only:\n${this.#found.join("\n")}\n`);
  }
}

function placeOf(stacks: readonly { readonly file: string; readonly line: number }[] | undefined): string {
  const [top] = stacks ?? [];
  return top === undefined ? "" : ` (${top.file}:${top.line})`;
}
