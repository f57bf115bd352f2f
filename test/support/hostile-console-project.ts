import { primeFiles } from "./prime-project.ts";

/** Texts that would run as HTML, as an attribute, as an address, or as Markdown. */
export const hostileTexts = [
  "<script>window.ran=1</script>",
  '<img src=x onerror="window.ran=2">',
  '"><svg onload=window.ran=3>',
  "[link](javascript:window.ran=4)",
  "`</code><script>window.ran=5</script>`",
  "</style><style>*{display:none}</style>",
  "data:text/html,<script>parent.ran=6</script>",
] as const;
/** All of them in one text. */
export const hostile = hostileTexts.join(" ");
const text = JSON.stringify(hostile);
const shortText = JSON.stringify(hostileTexts[1]);

const tools = `import { readFileSync } from "node:fs";
import { BinaryResult, ValueError, type JobContext } from "tenon";

export interface EvilRequest {
  /** ${hostile} */
  ${shortText}: string;
  choice: ${shortText} | ${JSON.stringify(hostileTexts[2])};
  map: Record<string, string>;
  /** @default ${shortText} */
  preset?: string;
}

/**
 * # ${hostileTexts[0]}
 * - ${hostileTexts[1]}
 *
 * ${hostile}
 * @tool
 * @title ${hostileTexts[1]}
 */
export async function evil(request: EvilRequest, job: JobContext): Promise<{ ${shortText}: string; list: Record<string, string>[] }> {
  return job.report.step(${text}, { message: ${text} }, async (step) => {
    step.info({ message: ${text} });
    return { ${shortText}: ${text}, list: [{ ${shortText}: ${text} }] };
  });
}

/** Refuses. @tool */
export function refuse(): never {
  throw new ValueError(${text});
}

/** Has a long name. @tool */
export function ${"a".repeat(63)}(): void {}

/** Answers with a long text. @tool */
export function long(size: number): { text: string; html: string } {
  return { text: "x".repeat(size), html: ${text} };
}

/** Answers with the file of a type. @tool */
export function media(path: string, type: string): BinaryResult {
  return new BinaryResult(readFileSync(path), type);
}

/** ${hostile} @prompt */
export function words(topic: string): string {
  return topic;
}

/** ${hostile} @resource evil://{id} */
export function page(id: string): string {
  return id;
}
`;

/** Many fields in one object, and many objects of many fields. */
const wide = `export interface Wide {
${Array.from({ length: 2000 }, (_, index) => `  field${index}: number;`).join("\n")}
}
export interface Group {
${Array.from({ length: 50 }, (_, index) => `  part${index}: number;`).join("\n")}
}
export interface Deep {
${Array.from({ length: 40 }, (_, index) => `  group${index}: Group;`).join("\n")}
}
/** Counts 2,000 fields. @tool */
export function wide(request: Wide): number {
  return Object.values(request).length;
}
/** Counts 40 groups of 50 fields. @tool */
export function deep(request: Deep): number {
  return Object.values(request).flatMap((group: Group) => Object.values(group)).length;
}
`;

/** A service whose every text tries to run, with tools of many fields, and one that answers with any bytes. */
export const hostileConsoleFiles: Readonly<Record<string, string>> = {
  ...primeFiles,
  "src/service.ts": (primeFiles["src/service.ts"] ?? "")
    .replace('import "./is-prime.js";', 'import "./is-prime.js";\nimport "./tools.js";\nimport "./wide.js";')
    .replace('name: "Prime numbers", description: "Tests numbers."', `name: ${shortText}, description: ${text}`),
  "src/tools.ts": tools,
  "src/wide.ts": wide,
};
