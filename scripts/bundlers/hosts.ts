/** A framework or bundler that is too large to be installed for the tests. */
export interface BundlerHost {
  readonly name: string;
  /** The page that has `config`; default `docs/bundlers.md`. */
  readonly page?: string;
  /** The configuration, or the main file, in the page, by the name of its file. */
  readonly config?: string;
  /** More files of its project, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands that build it; each begins with a file of a package, or of tenon. */
  readonly build: readonly (readonly string[])[];
  /** Serves the build; the port is in `PORT`. Absent where the last command is what is tried. */
  readonly serve?: readonly string[];
  /** The path of the tool, of what is served. */
  readonly path?: string;
  /** Part of the message with which it ends, where it cannot serve the tool. */
  readonly refusal?: string;
}

const handler = `import { createFetchHandler, loggingInit, Service } from "tenon";
import "./is-prime.js";

loggingInit();
export const handler = createFetchHandler(new Service({ name: "Prime numbers" }), { basePath: "/api" });
`;
const layout = `import type { ReactNode } from "react";

export default function Layout({ children }: { children: ReactNode }) {
  return <html><body>{children}</body></html>;
}
`;
const route = (module: string): string => `import { handler } from "${module}";

export const GET = handler, POST = handler, DELETE = handler;
`;
const tenon = "tenon/dist/cli/main.js";
const next = "next/dist/bin/next";
const path = "/api/tool/isPrime";
const turbopack = { "app/layout.tsx": layout, "src/handler.ts": handler, "next.config.mjs": "export default {};\n" };
const nitroOutput = "./.output/server/index.mjs";

const applicationBuild = [
  [tenon, "build", "--no-code-cache", "src/handler.ts", "--outdir", "tools"],
  ["typescript/bin/tsc"],
];
const nestConfig = JSON.stringify({
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    rootDir: "src",
    outDir: "dist",
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ["node"],
  },
  include: ["src"],
});

/** Each is built with the configuration of the page and called. */
export const bundlerHosts: readonly BundlerHost[] = [
  {
    name: "tsdown",
    config: "tsdown.config.mjs",
    files: {
      "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import "./is-prime.js";
await startLambdaServer(new Service({ name: "Prime numbers" }));
`,
    },
    build: [["tsdown/dist/run.mjs"]],
    serve: ["./dist/service.mjs", "--host", "127.0.0.1"],
    path: "/tool/isPrime",
  },
  {
    name: "Next.js with webpack",
    config: "next.config.mjs",
    files: {
      "app/layout.tsx": layout,
      "app/api/[...path]/route.ts": route("../../../src/handler"),
      "src/handler.ts": handler,
    },
    build: [[next, "build", "--webpack"]],
    serve: [next, "start"],
    path,
  },
  {
    name: "Next.js with Turbopack, which imports what tenon has built",
    files: { ...turbopack, "app/api/[...path]/route.ts": route("../../../dist/handler.mjs") },
    build: [
      [tenon, "build", "--no-code-cache", "src/handler.ts"],
      [next, "build"],
    ],
    serve: [next, "start"],
    path,
  },
  {
    name: "Next.js with Turbopack alone, which says that there are no tools",
    files: {
      ...turbopack,
      "app/api/[...path]/route.ts": route("../../../src/handler"),
      // Turbopack does not find a TypeScript file by the name of its output.
      "src/handler.ts": handler.replace("./is-prime.js", "./is-prime"),
    },
    build: [[next, "build"]],
    serve: [next, "start"],
    path,
    refusal: "The service has no tools. Check that the build uses tenon's plugin",
  },
  {
    name: "Nitro 2",
    config: "nitro.config.mjs",
    files: {
      "routes/api/[...path].ts": `import { handler } from "../../src/handler";

export default fromWebHandler(handler);
`,
      "src/handler.ts": handler,
    },
    build: [["nitropack/dist/cli/index.mjs", "build"]],
    serve: [nitroOutput],
    path,
  },
  {
    name: "Nitro 3",
    config: "nitro.config.mjs",
    files: {
      "routes/api/[...path].ts": `import { defineHandler } from "nitro/h3";
import { handler } from "../../src/handler";

export default defineHandler((event) => handler(event.req));
`,
      "src/handler.ts": handler,
    },
    build: [["nitro/dist/cli/index.mjs", "build"]],
    serve: [nitroOutput],
    path,
  },
  {
    name: "Nuxt",
    files: {
      "nuxt.config.ts": `import tenon from "tenon/rollup";
export default defineNuxtConfig({ telemetry: false, nitro: { rollupConfig: { plugins: [tenon()] } } });
`,
      "app/app.vue": "<template><p>Prime numbers</p></template>\n",
      "server/api/[...path].ts": `import { handler } from "../../src/handler";

export default fromWebHandler(handler);
`,
      "src/handler.ts": handler,
    },
    build: [["nuxt/bin/nuxt.mjs", "build"]],
    serve: [nitroOutput],
    path,
  },
  {
    name: "Nest, compiled by tsc",
    page: "docs/hosts.md",
    config: "src/main.ts",
    files: { "src/handler.ts": handler, "tsconfig.json": nestConfig },
    build: applicationBuild,
    serve: ["./dist/main.js"],
    path,
  },
  {
    name: "Fastify",
    page: "docs/hosts.md",
    config: "src/main.mjs",
    files: { "src/handler.ts": handler },
    build: applicationBuild.slice(0, 1),
    serve: ["./src/main.mjs"],
    path,
  },
  {
    name: "Jest",
    page: "docs/test-runners.md",
    config: "build-tests.mjs",
    files: {
      "test/prime.test.ts": `import { expect, test } from "@jest/globals";
import { callTool } from "tenon/testing";
import { isPrime } from "../src/is-prime.js";

test("997 is prime", async () => {
  expect((await callTool(isPrime, { number: 997 })).result).toEqual({ number: 997, isPrime: true });
});
`,
    },
    build: [["./build-tests.mjs"], ["--experimental-vm-modules", "jest/bin/jest.js", "--rootDir", "dist-test"]],
  },
];
