/**
 * Bundles the console (`runtime/web/console`) for each kind of page: a first script, those of each view, which the page
 * loads when the view is first shown, and a style.
 */
import { createHash } from "node:crypto";
import { build } from "esbuild";
import { minify } from "terser";
import { consoleChunks } from "./console-chunks.ts";
import { foldersOf, type MadeModule } from "./third-party.ts";

/** Maximum bytes of the scripts that a view needs, the first one included, and of the one beside it that signs in. */
export const maxConsoleScript = 66_000;
const maxSignInScript = 3500;
/** Maximum bytes of the own script of a part that a view loads when the part is first shown. */
const maxPartScript = 6000;

const targets = ["es2022", "chrome123", "firefox121", "safari17.5"];

/** The module with the texts of a page. Throws when a view needs more script than allowed. */
export async function consoleModule(page: "service" | "platform"): Promise<MadeModule> {
  const { first, later, views, parts, files } = await consoleChunks(`runtime/web/console/open-${page}.ts`, targets);
  const scripts: Record<string, { readonly script: string; readonly hash: string }> = {};
  const names: string[] = [];
  const shortened = new Map<string, string>();
  for (const { name: chunk, code } of later) {
    const script = await shorten(code);
    shortened.set(chunk, script);
    const name = digestOf(script).toString("hex").slice(0, 12);
    names.push(name);
    scripts[name] = { script, hash: sourceOf(script) };
  }
  const textOf = (chunk: string): string => shortened.get(chunk) ?? "";
  const script = `/*! preact: MIT, Jason Miller */${await shorten(first(names))}`;
  for (const [view, chunks] of views) {
    const whole = [script, ...chunks.map(textOf)].join("");
    check(`The view ${view} of the ${page}'s console`, whole, maxConsoleScript);
  }
  for (const part of parts.keys()) check(`The part ${part} of the ${page}'s console`, textOf(part), maxPartScript);
  const style = await bundle("runtime/web/console/style/console.css");
  const texts = { script, style, scriptHash: sourceOf(script), styleHash: sourceOf(style), scripts };
  const folders = foldersOf(files);
  if (page === "platform") return { code: moduleOf(texts), folders };
  const signIn = await bundle("runtime/web/console/open-sign-in.ts");
  check("The script that signs in", signIn, maxSignInScript);
  return { code: moduleOf({ ...texts, signIn, signInHash: sourceOf(signIn) }), folders };
}

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    outdir: "console",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: targets,
    tsconfigRaw: {},
    // Services read their chunks as one-byte text.
    charset: "ascii",
    legalComments: "none",
  });
  return inElement(outputFiles[0]?.text.trim() ?? "");
}

function check(what: string, script: string, most: number): void {
  if (script.length > most) throw new Error(`${what} has ${script.length} bytes; ${most} are allowed.`);
}

function moduleOf(texts: object): string {
  return `export const consoleTexts = ${JSON.stringify(texts)};\n`;
}

async function shorten(script: string): Promise<string> {
  const { code = script } = await minify(script, {
    module: true,
    ecma: 2020,
    compress: { passes: 3, unsafe: true, unsafe_arrows: true, pure_getters: true },
    format: { ascii_only: true },
  });
  return inElement(code);
}

/** An end tag in a text would end the element that the script stands in. */
function inElement(text: string): string {
  return text.replaceAll(/<\/(script|style)/gi, String.raw`\x3C/$1`);
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The hash of a text as a source of a `Content-Security-Policy`. */
function sourceOf(text: string): string {
  return `'sha256-${digestOf(text).toString("base64")}'`;
}
