import { writeToStdout } from "./stdout-guard.ts";

/** Ends the process once all output is written: pipes may still hold text when the event loop is empty. */
export async function endProcess(code: number, output = "", problem = ""): Promise<never> {
  await new Promise<void>((resolve) => {
    process.stderr.write(problem, () => writeToStdout(output, () => resolve()));
  });
  process.exit(code);
}
