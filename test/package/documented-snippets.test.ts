/** Every block of TypeScript and JavaScript in README and the guides is a file that compiles as it stands. */
import { globSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { packedProject } from "../support/packed-project.ts";

/** Pages that show what the build makes of a tool are kept by golden cases. */
const pages = ["README.md", ...globSync("docs/*.md").filter((page) => page !== "docs/transform.md")];

/** Modules of the reader that the blocks import; all others may be anything. */
const modules = {
  "service/src/tools.ts": `
export declare function isPrime(request: { number: number }): { number: number; isPrime: boolean };
export declare function mapGeneOntology(request: { ids: string[] }): Promise<{ results: string[] }>;
`,
  "service/src/events.ts": `
import { BaseEvent } from "tenon";
export class TokenEvent extends BaseEvent {
  static override readonly SCHEMA = "urn:example:schema:token.1";
  constructor(readonly text: string) { super(); }
}
`,
  "service/service.json": '{ "name": "Primes", "tools": [] }',
  "src/sieve.ts": `
export interface Range { from: number; to: number }
export interface Prime { prime: number }
export declare function primesOf(from: number, to: number): Prime[];
`,
};

/** Packages that only some projects have. */
const foreign = ["@jest/globals", "@nestjs/common", "@nestjs/core", "fastify", "oidc-provider", "reflect-metadata"];

const files: Record<string, string> = {
  "foreign/src/foreign.d.ts": foreign.map((name) => `declare module "${name}";\n`).join(""),
};
/** Blocks by the file that they are written to. */
const places = new Map<string, string>();
for (const page of pages) {
  const text = readFileSync(page, "utf8");
  const folder = page.replaceAll(/\W/g, "-");
  for (const [path, code] of Object.entries(modules)) files[`${folder}/${path}`] = code;
  for (const { 1: kind = "", 2: code = "", index } of text.matchAll(/^```(tsx?|m?js)\n([^]*?)^```$/gm)) {
    const line = text.slice(0, index).split("\n").length;
    const title = /^\/\/ (?:src\/)?([\w.-]+\.\w+)/.exec(code)?.[1];
    const file = `${folder}/src/${title ?? `line-${line}.${kind.replace("mjs", "js")}`}`;
    if (files[file] !== undefined) throw new Error(`${page} has two files ${title}`);
    files[file] = code;
    places.set(file, `${page}:${line}`);
  }
}

const project = packedProject(
  {
    ...files,
    "workspace/primes.d.ts": "export {};",
    "workspace/types.d.ts": "export interface Range { from: number; to: number }",
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2024",
        lib: ["es2024", "esnext.disposable", "dom"],
        module: "esnext",
        moduleResolution: "bundler",
        moduleDetection: "force",
        jsx: "react-jsx",
        jsxImportSource: "preact",
        strict: true,
        checkJs: true,
        allowImportingTsExtensions: true,
        experimentalDecorators: true,
        resolveJsonModule: true,
        skipLibCheck: true,
        noEmit: true,
        types: ["node"],
        // The packages of docs/monorepos.md.
        paths: { "@acme/primes": ["./workspace/primes.d.ts"], "@acme/types": ["./workspace/types.d.ts"] },
      },
      include: ["*/src", "*/service"],
    }),
  },
  {
    typescript: "typescript",
    packages: ["@cloudflare/codemode", "@copilotkit/aimock", "esbuild", "openai", "preact", "vite", "vitest"],
  },
);
afterAll(() => project.dispose());

test("there are blocks of many pages", () => {
  expect(places.size).toBeGreaterThan(50);
});

test("they compile", () => {
  const { stdout } = project.node(["node_modules/typescript/bin/tsc", "-p", "."]);
  // Modules of the reader that are not here, and parameters of JavaScript, which have no types.
  const silent = /error TS2307: Cannot find module '\.|\.m?js\(.*error TS70\d\d|side-effect import of '\./;
  const found = stdout
    .split("\n")
    .filter((line) => line.includes("error TS") && !silent.test(line))
    .map((line) => line.replace(/^[^(]+/, (file) => places.get(file) ?? file));
  expect(found).toEqual([]);
});
