/**
 * Bundles the playground (`playground`): the plugin's reader and emitter as a worker, the runtime's way to run a tool
 * as a sandboxed frame, and the page. Modules of Node have stand-ins, which work on files in memory.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { lateScripts } from "../../playground/compiler/late-scripts.ts";
import { packageFolder } from "../../playground/compiler/places.ts";
import { carriedLibs } from "../../plugin/read/base/lib-texts.ts";
import { foldersOf, thirdPartyText } from "../build/third-party.ts";

/** Name of the built text files of the package that the worker needs, among the files of the playground. */
export const packageTextsFile = "package-texts.json";

const root = resolve(import.meta.dirname, "../..");

/** Modules that are replaced: a pattern of the specifier, and the path of the stand-in in `playground`, or its URL. */
type StandIns = readonly (readonly [specifier: RegExp, file: string])[];

const compilerStandIns: StandIns = [
  [/^node:(?:zlib|worker_threads|v8|child_process)$/, "compiler/node/absent.ts"],
  [/^node:fs$/, "compiler/node/fs.ts"],
  [/^node:crypto$/, "compiler/node/crypto.ts"],
  [/^node:module$/, "compiler/node/module.ts"],
  [/^node:url$/, "compiler/node/url.ts"],
  [/^node:path(?:\/posix)?$/, import.meta.resolve("path-browserify")],
  [/^ts-morph$/, "compiler/node/typescript.ts"],
  // Views and skills in files, and what the compiler requires where it finds Node.
  [
    /\/(?:bundle-view|read-skills)\.ts$|^(?:fs|path|os|inspector|source-map-support|perf_hooks)$/,
    "compiler/node/absent.ts",
  ],
];

const frameStandIns: StandIns = [
  [/\/telemetry\/log\/(?:logging|log-state)\.ts$|^\.\/(?:logging|log-state)\.ts$/, "frame/node/logging.ts"],
  [/\/(?:job-platform|fake-platform|llm-client)\.ts$/, "frame/node/absent.ts"],
];

/** Builds the playground into a folder. The package must have been built, since its declarations are part of it. */
export async function bundlePlayground(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const folders: string[] = ["node_modules/recheck"];
  const bundle = async (entry: string, standIns: StandIns, more: Pick<BuildOptions, "define" | "inject"> = {}) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, "playground", entry)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      outdir: "out",
      format: "iife",
      platform: "browser",
      target: ["chrome123", "firefox121", "safari17.5"],
      legalComments: "none",
      tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } },
      plugins: [standInsOf(standIns)],
      ...more,
    });
    folders.push(...foldersOf(Object.keys(metafile.inputs)));
    return outputFiles[0]?.text ?? "";
  };
  const write = (name: string, text: string): void => writeFileSync(join(out, name), text);
  const runner = await bundle("frame/run-tool.ts", frameStandIns, { inject: [inPlayground("frame/node/globals.ts")] });
  const frame = await bundle("frame/frame.ts", [], { define: { runnerText: JSON.stringify(runner) } });
  write("frame.html", frameDocument(frame));
  write(
    "worker.js",
    await bundle("compiler/worker.ts", compilerStandIns, {
      inject: [inPlayground("compiler/node/globals.ts")],
      define: { "import.meta.url": JSON.stringify(`file://${packageFolder}/dist/plugin/index.js`) },
    }),
  );
  write("page.js", await bundle("page/open-page.tsx", []));
  write("page.css", await bundle("page/page.css", []));
  write("index.html", pageDocument);
  write(packageTextsFile, JSON.stringify(packageTexts()));
  const platforms = Object.entries(carriedLibs()).filter(([name]) => !(name in languageLibs()));
  const libs = platforms.map(([fileName, text]) => ({ fileName, text }));
  write(lateScripts.libs, `globalThis.tenonLibs = ${JSON.stringify(libs)};\n`);
  const recheck = readFileSync(join(root, "node_modules/recheck/lib/browser.js"), "utf8");
  write(
    lateScripts.recheck,
    `globalThis.recheck = ((module) => {${recheck}\nreturn module.exports;})({ exports: {} });\n`,
  );
  write("licences.txt", thirdPartyText(folders));
}

function inPlayground(file: string): string {
  return join(root, "playground", file);
}

function pathOf(file: string): string {
  return file.startsWith("file:") ? fileURLToPath(file) : inPlayground(file);
}

function standInsOf(standIns: StandIns): Plugin {
  return {
    name: "stand-ins",
    setup({ onResolve }) {
      for (const [filter, file] of standIns) onResolve({ filter }, () => ({ path: pathOf(file) }));
    },
  };
}

/** Library texts of the language, which the built plugin has beside it. */
function languageLibs(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(root, "dist/plugin/libs.json"), "utf8")) as Record<string, string>;
}

/** The declarations of `tenon` with all that they import, and the library texts, by path in the package. */
function packageTexts(): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  const add = (path: string): void => {
    if (texts[path] !== undefined) return;
    const text = (texts[path] = readFileSync(join(root, path), "utf8"));
    for (const [, target = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)\.js"/g))
      add(`${posix.join(posix.dirname(path), target)}.d.ts`);
  };
  const types = "dist/runtime/index.d.ts";
  if (!existsSync(join(root, types))) throw new Error("The playground needs the built package: npm run build");
  add(types);
  add("dist/plugin/libs.json");
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, string>;
  const manifest = { name, version, type: "module", exports: { ".": { types: `./${types}` } } };
  return { ...texts, "package.json": JSON.stringify(manifest) };
}

/** The document of the frame: its policy allows its own script, the visitor's code in a worker, and no request. */
function frameDocument(text: string): string {
  // An end tag in a text would end the element that the script is in.
  const script = text.replaceAll(/<\/script/gi, String.raw`\x3C/script`);
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'unsafe-eval' blob:; worker-src blob:`;
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Sandbox</title><script>${script}</script>\n`;
}

/** The frame has a document of its own, since one in an attribute would have the policy of the page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  // The editor makes its styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src blob: data:",
  "media-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const pageDocument = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>tenon playground</title>
<link rel="stylesheet" href="page.css">
</head>
<body>
<div id="root"><noscript>The playground needs JavaScript.</noscript></div>
<script src="page.js"></script>
</body>
</html>
`;
