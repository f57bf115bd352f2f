import { hostile, hostileTexts } from "./hostile-console-project.ts";
import { primeFiles } from "./prime-project.ts";

const text = JSON.stringify(hostile);
const svg = JSON.stringify(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>window.ran=1</script><image href="https://example.org/x"/></svg>',
);

const tools = `import { appendFileSync, existsSync } from "node:fs";
import { Content, Message, ValueError, type JobContext } from "tenon";

export interface Cake {
  /** Name of the person. @minLength 2 */
  name: string;
  /** Number of cakes. @type uint32 @maximum 99 */
  count: number;
  gift: boolean;
  size: "small" | "large";
}

/**
 * Orders a cake.
 * @tool
 * @param kind - Kind of the cake.
 */
export async function order(kind: "plum" | "apple", job: JobContext): Promise<string> {
  const { count, name, size } = await job.ask<Cake>("Which **cake**?");
  if (!(await job.ask<boolean>(\`Order \${count} for \${name}?\`))) return "Nothing ordered.";
  return \`\${count} \${size} \${kind} for \${name}\`;
}

/** Asks the model of the host. @tool */
export async function summarise(job: JobContext): Promise<object> {
  return job.request("sampling/createMessage", {
    messages: [{ role: "user", content: { type: "text", text: "Say it shortly." } }],
    maxTokens: 100,
  });
}

/** Asks for the roots of the host. @tool */
export async function roots(job: JobContext): Promise<object> {
  return job.request("roots/list");
}

/**
 * Doubles.
 * @tool
 * @param count - The number. @maximum 10
 */
export function double(count: number): number {
  return 2 * count;
}

/**
 * Works in two steps and waits until it is cancelled.
 * @tool
 * @param file - Where it notes that it was cancelled.
 */
export async function work(file: string, job: JobContext): Promise<string> {
  await job.report.step("first", async () => {});
  return job.report.step("second", async () => {
    while (!job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    appendFileSync(file, "cancelled");
    return "done";
  });
}

/** Waits for a file. @tool */
export async function until(file: string, job: JobContext): Promise<string> {
  while (!existsSync(file) && !job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
  return "there it is";
}

export interface Town {
  /** @title Town */
  name: string;
  people: number;
}

/**
 * Lists towns.
 * @tool
 * @view auto
 */
export function towns(least: number): Town[] {
  const all = [{ name: "Oslo", people: 709037 }, { name: ${JSON.stringify(hostileTexts[1])}, people: 3 }];
  return all.filter(({ people }) => people > least);
}

/**
 * Is a task at once.
 * @tool
 * @task optional
 */
export async function later(job: JobContext): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return (await job.ask<boolean>("Go on?")) ? "went on" : "stayed";
}

/** Shows contents. @tool */
export function show(): (string | Content)[] {
  return ["# A title", Content.image(Buffer.from(${svg}), "image/svg+xml"), Content.link("javascript:window.ran=7", { name: ${text} })];
}

/**
 * ${hostile}
 * @tool
 * @title ${hostileTexts[1]}
 */
export async function evil(job: JobContext): Promise<Record<string, string>> {
  await job.report.step(${text}, { message: ${text} }, async (step) => {
    step.info({ message: ${text} });
  });
  await job.ask<boolean>(${text});
  return { [${text}]: ${text} };
}

/** Fails. @tool */
export function fails(): string {
  throw new ValueError(${text});
}

/**
 * Reviews code.
 * @prompt
 * @param language - Language of the code.
 */
export function review(language: "python" | "typescript"): Message[] {
  return [Message.user(\`Review this \${language} code.\`), Message.assistant(${text})];
}

/**
 * A note.
 * @resource notes://{id}
 * @mimeType text/markdown
 * @param id - Id of the note.
 */
export function note(id: string): string {
  return \`# Note \${id}\`;
}

/** All notes. @resource things://all */
export function all(): { notes: string[] } {
  return { notes: ["ä", ${text}] };
}
`;

/** A service whose tools, prompts and resources do what a host has to answer, with texts that would run. */
export const mcpFiles: Readonly<Record<string, string>> = {
  ...primeFiles,
  "src/service.ts": (primeFiles["src/service.ts"] ?? "").replace(
    'import "./is-prime.js";',
    'import "./is-prime.js";\nimport "./host.js";',
  ),
  "src/host.ts": tools,
};
