/** Bundles the console (`runtime/web/console`) into one script and one style for each kind of page. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { minify } from "terser";
import { foldersOf, type MadeModule } from "./third-party.ts";

/** Maximum bytes of a minified script, and of the one beside it that signs in. */
export const maxConsoleScript = 66_000;
const maxSignInScript = 3500;

/** Preact's own names, which the page does not use. */
const preactNames = String.raw`__\w|component(?:Will|Did)\w+|shouldComponentUpdate|get(?:Derived|Snapshot|Child)\w+|debounceRendering|diffed|forceUpdate`;
/**
 * Names of properties that modules of the console share with each other and with Preact alone: none is of JSON, the DOM
 * or an element.
 */
const ownNames = (
  "again answer answers attempt backend before blocks callPath calls cell challenge client content current definition " +
  "depth draft drafts endedAt epoch events failure filled findings give instructions isDead isDown isLoading " +
  "isRequired jobId jump keyOf kind label lastEvent loadMore metadata notes notice online onEnd onRemove outdated output press problems " +
  "props refusal requestedAt root route rowHeight schema send service services show startedAt steps took state token " +
  "tools traceId views watch whole wiring"
).split(" ");

/** The module with the texts of a page. Throws when its script is larger than allowed. */
export async function consoleModule(page: "service" | "platform"): Promise<MadeModule> {
  const { script, style, folders } = await bundle({
    script: `runtime/web/console/open-${page}.tsx`,
    style: "runtime/web/console/style/console.css",
  });
  check(`The script of the ${page}'s console`, script, maxConsoleScript);
  const texts = { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
  if (page === "platform") return { code: moduleOf(texts), folders };
  const { script: signIn } = await bundle({ script: "runtime/web/console/open-sign-in.ts" });
  check("The script that signs in", signIn, maxSignInScript);
  return { code: moduleOf({ ...texts, signIn, signInHash: hashOf(signIn) }), folders };
}

interface Bundled {
  readonly script: string;
  readonly style: string;
  /** Folders of the packages in the script. */
  readonly folders: readonly string[];
}

async function bundle(entryPoints: Readonly<Record<string, string>>): Promise<Bundled> {
  const isPage = "style" in entryPoints;
  const { outputFiles, metafile } = await build({
    entryPoints,
    outdir: "console",
    bundle: true,
    write: false,
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    // Those of a page are shortened below, after its calls of `h`.
    minifyIdentifiers: !isPage,
    format: "esm",
    target: ["es2022", "chrome123", "firefox121", "safari17.5"],
    // Calls of `h` with children behind its properties are a twentieth shorter than those of the JSX runtime.
    jsx: "transform",
    jsxFactory: "h",
    jsxFragment: "Fragment",
    // A variable is shorter than `void 0`, and there are hundreds of them. No module may have one of its name, which
    // would stand in its place there.
    ...(isPage && { define: { undefined: "$undefined" }, inject: ["runtime/web/console/classic.ts"] }),
    tsconfigRaw: {},
    // Services read their chunks as one-byte text.
    charset: "ascii",
    legalComments: "none",
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text.trim() ?? "";
  // An end tag in a text would end the element that the script stands in.
  const files = Object.keys(metafile.inputs);
  const code = (isPage ? await shorten(textOf("script.js"), files) : textOf("script.js")).replaceAll(
    /<\/(script|style)/gi,
    String.raw`\x3C/$1`,
  );
  const folders = foldersOf(files);
  return { script: `${isPage ? "/*! preact: MIT, Jason Miller */" : ""}${code}`, style: textOf("style.css"), folders };
}

function check(what: string, script: string, most: number): void {
  if (script.length > most) throw new Error(`${what} has ${script.length} bytes; ${most} are allowed.`);
}

function moduleOf(texts: Readonly<Record<string, string>>): string {
  return `export const consoleTexts = ${JSON.stringify(texts)};\n`;
}

/**
 * Names that a script reads from JSON, as `record["name"]`: the bundler takes the quotes away, so they have to be
 * kept from being shortened here.
 */
function jsonNames(files: readonly string[]): ReadonlySet<string> {
  const texts = files.filter((file) => file.startsWith("runtime/")).map((file) => readFileSync(file, "utf8"));
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(/\["(\w+)"\]/g), ([, name]) => name ?? "")));
}

/** Elements in fewer bytes: `h("p",{class:"dim"},…)` becomes `h("p.dim",0,…)`, which `classic.ts` understands. */
function shortElements(script: string): string {
  const h = /function (\w+)\(type,props,\.\.\.children\)/.exec(script)?.[1] ?? "h";
  return script
    .replaceAll(`${h}("button",{type:"button",`, `${h}("button",{`)
    .replaceAll(
      new RegExp(String.raw`\b${h}\("(\w+)",\{class:"([^".]+)"([,}])`, "g"),
      (_, tag: string, names: string, end: string) => `${h}("${tag}.${names}",${end === "," ? "{" : "0"}`,
    )
    .replaceAll(new RegExp(String.raw`\b${h}\(("[^"]+"|\w+),null`, "g"), `${h}($1,0`);
}

/** A script a fifteenth shorter than the bundler makes it. */
async function shorten(script: string, files: readonly string[]): Promise<string> {
  const kept = jsonNames(files);
  const own = ownNames.filter((name) => !kept.has(name));
  const regex = new RegExp(`^(?:${preactNames}|${own.join("|")})$`);
  const { code } = await minify(shortElements(script), {
    module: true,
    ecma: 2020,
    compress: { passes: 3, unsafe: true, unsafe_arrows: true, pure_getters: true },
    mangle: { properties: { regex, builtins: true, keep_quoted: true } },
    format: { ascii_only: true },
  });
  return code ?? script;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
