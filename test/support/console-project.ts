import { primeFiles } from "./prime-project.ts";

/** A description and a value that try to run a script. */
export const evil = '<script>window.ran=1</script><img src=x onerror="window.ran=2">[link](javascript:window.ran=3)';

const tools = `import { existsSync } from "node:fs";
import { BinaryResult, type JobContext } from "tenon";

export interface Square {
  kind: "square";
  side: number;
}
export interface Circle {
  kind: "circle";
  radius: number;
}
export interface PlanRequest {
  /** Name of the plan. @minLength 3 */
  title: string;
  /** Number of them. @type uint32 @maximum 100 */
  count: number;
  /** Its looks. */
  shape: Square | Circle;
  /** Names of those who take part. */
  people: string[];
  mode: "fast" | "exact";
  /** When it begins. */
  begins: Date;
  note?: string | null;
  /** The price of each. */
  prices?: Record<string, number>;
}

/**
 * Plans *something*.
 * @tool
 * @title Make a plan
 */
export function plan(request: PlanRequest): { rows: number; title: string }[] {
  return request.people.map((name, index) => ({ rows: index + request.count, title: request.title + " " + name + (request.prices?.[name] ?? "") }));
}

/**
 * Waits until a file is there.
 * @tool
 * @param file What to wait for.
 */
export async function wait(file: string, job: JobContext): Promise<string> {
  return job.report.step("look", { message: "Looking for the file" }, async (step) => {
    step.info({ progress: 40 });
    while (!existsSync(file) && !job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    return "found";
  });
}

/** Draws one dot. @tool */
export function picture(): BinaryResult {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  return new BinaryResult(Buffer.from(png, "base64"), "image/png");
}

/**
 * ${evil}
 * @tool
 */
export function evil(size: number): { text: string; html: string } {
  return { text: "x".repeat(size), html: ${JSON.stringify(evil)} };
}

/** Answers with a page. @tool */
export function page(): BinaryResult {
  return new BinaryResult(Buffer.from(${JSON.stringify(evil)}), "text/html");
}
`;

const many = Array.from(
  { length: 200 },
  (_, index) =>
    `/** Number ${index} of many. @tool */\nexport function many${index}(): number {\n  return ${index};\n}\n`,
).join("\n");

/** A service with a tool of every kind that the console shows, and many more. */
export const consoleFiles: Readonly<Record<string, string>> = {
  ...primeFiles,
  "src/service.ts": (primeFiles["src/service.ts"] ?? "").replace(
    'import "./is-prime.js";',
    'import "./is-prime.js";\nimport "./tools.js";\nimport "./many.js";',
  ),
  "src/tools.ts": tools,
  "src/many.ts": many,
};
