/** A framework or bundler that is too large to be installed for the tests. */
export interface BundlerHost {
  readonly name: string;
  /** The configuration of `docs/bundlers.md`, by the name of its file. */
  readonly config?: string;
  /** More files of its project, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands that build it; each begins with a file of a package, or of tenon. */
  readonly build: readonly (readonly string[])[];
  /** Serves the build; the port is in `PORT`. */
  readonly serve: readonly string[];
  /** The path of the tool. */
  readonly path: string;
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
];
