/**
 * `npm run sizes [BUNDLER…]`: measures what tenon adds to a bundle, and writes the table of docs/bundlers.md. With
 * `--check` it writes nothing, and exits with 1 if a figure differs from the page by more than a twentieth. Run
 * `npm run build` first.
 */
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Programs that build `src/service.ts` into `dist`, as docs/bundlers.md configures them. */
const bundlers: Readonly<Record<string, string>> = {
  "`tenon build`": "",
  esbuild: `import { build } from "esbuild"; import tenon from "tenon/esbuild";
await build({ entryPoints: ["src/service.ts"], bundle: true, outdir: "dist", platform: "node", format: "esm",
  logLevel: "silent", plugins: [PLUGIN] });`,
  rolldown: `import { build } from "rolldown"; import tenon from "tenon/rolldown";
await build({ input: "src/service.ts", platform: "node", plugins: [PLUGIN], onLog: () => {} });`,
  Vite: `import { build } from "vite"; import tenon from "tenon/vite";
await build({ configFile: false, logLevel: "silent", plugins: [PLUGIN], build: { ssr: "src/service.ts" } });`,
  webpack: `import webpack from "webpack"; import tenon from "tenon/webpack";
await new Promise((done, failed) => webpack({ mode: "production", target: "node", entry: { service: "./src/service.ts" },
  plugins: [PLUGIN] }, (error, stats) => error ?? stats.hasErrors() ? failed(error ?? stats.toString()) : done()));`,
  Rspack: `import { rspack } from "@rspack/core"; import tenon from "tenon/rspack";
await new Promise((done, failed) => rspack({ mode: "production", target: "node", entry: { service: "./src/service.ts" },
  plugins: [PLUGIN] }, (error, stats) => error ?? stats.hasErrors() ? failed(error ?? stats.toString()) : done()));`,
};

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const [, example = ""] =
  /^```ts\n\/\/ src\/is-prime\.ts\n(.*?)^```/ms.exec(readFileSync(join(repository, "README.md"), "utf8")) ?? [];

/** README's tool, as often as asked for, under names of its own. */
function toolFiles(count: number): Readonly<Record<string, string>> {
  const texts = Array.from({ length: count }, (_, index) =>
    example
      .replaceAll("isPrime(", `isPrime${index}(`)
      .replaceAll("schema.is-prime.", `schema.is-prime-${index}.`)
      .replaceAll(/Prime(Request|Result)/g, `Prime${index}$1`),
  );
  return Object.fromEntries(texts.map((text, index) => [`src/tool-${index}.ts`, text]));
}

const serviceOf = (count: number): string => `import { Service, startLambdaServer } from "tenon";
${Array.from({ length: count }, (_, index) => `import "./tool-${index}.js";\n`).join("")}
await startLambdaServer(new Service({ name: "Primes" }));
`;
const bare = `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { isPrime0 } from "./tool-0.js";

createServer(async (request, response) => {
  response.end(JSON.stringify(isPrime0(JSON.parse(await text(request)))));
}).listen(8090);
`;

interface Size {
  /** Bytes of all JavaScript. */
  readonly all: number;
  readonly zipped: number;
}

/** Builds a project in an empty folder, and measures the JavaScript that is written. */
function measure(program: string, service: string, tools: Readonly<Record<string, string>>, plugin: string): Size {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-size-")));
  try {
    const files = {
      ...tools,
      "src/service.ts": service,
      "package.json": '{ "name": "primes", "version": "1.0.0", "type": "module" }',
      "build.mjs": program.replace("PLUGIN", plugin),
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
    const command = program === "" ? [join(repository, "dist/cli/main.js"), "build", "--no-code-cache"] : ["build.mjs"];
    const { status, stderr, stdout } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    const texts = globSync("dist/**/*.{js,mjs}", { cwd: root }).map((file) => readFileSync(join(root, file)));
    const sum = (sizes: readonly number[]): number => sizes.reduce((one, other) => one + other, 0);
    return {
      all: sum(texts.map(({ length }) => length)),
      zipped: sum(texts.map((one) => gzipSync(one).length)),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;

/** The row of a bundler: without tenon, with one tool and with ten, and what a further tool adds. */
function rowOf(name: string, program: string): string {
  // Without the plugin, `tenon build` is the bundler in it, and webpack and Rspack do not compile TypeScript.
  const alone = ["esbuild", "rolldown", "Vite"].includes(name);
  const without = (alone ? program : bundlers["rolldown"]) ?? "";
  const plain = measure(without, bare, toolFiles(1), "");
  const [one, ten] = [1, 10].map((count) => measure(program, serviceOf(count), toolFiles(count), "tenon()"));
  if (one === undefined || ten === undefined) throw new Error(name);
  const cells = [plain.all, one.all, one.zipped, ten.all, (ten.all - one.all) / 9].map(kilobytes);
  return `| ${[name, ...cells].join(" | ")} |`;
}

const chosen = process.argv.slice(2).filter((word) => word !== "--check");
const rows = Object.entries(bundlers)
  .filter(([name]) => chosen.length === 0 || chosen.some((one) => name.toLowerCase().includes(one.toLowerCase())))
  .map(([name, program]) => rowOf(name, program));
console.log(rows.join("\n"));
const page = resolve(repository, "docs/bundlers.md");
const text = readFileSync(page, "utf8");
if (process.argv.includes("--check")) {
  for (const row of rows) {
    const written = text.split("\n").find((line) => line.startsWith(row.slice(0, row.indexOf("|", 1) + 1))) ?? "";
    const [now, then] = [row, written].map((one) =>
      [...one.matchAll(/([\d.]+) kB/g)].map(([, figure]) => Number(figure)),
    );
    if (now?.some((figure, index) => !(Math.abs(figure - (then?.[index] ?? Number.NaN)) <= figure / 20)) !== false)
      process.exitCode = 1;
  }
} else if (chosen.length === 0) {
  const head = [
    "| Bundler | Without tenon | One tool | the same, gzip | Ten tools | Each further tool |",
    "|---|--:|--:|--:|--:|--:|",
  ];
  const section = /(<!-- sizes -->\n)[^]*?(<!-- \/sizes -->)/;
  writeFileSync(
    page,
    text.replace(section, (_, start: string, end: string) => `${start}${[...head, ...rows].join("\n")}\n${end}`),
  );
}
