/** Bundles the console (`runtime/console`) into one script and one style for each kind of page. */
import { createHash } from "node:crypto";
import { build } from "esbuild";

/** Maximum bytes of a minified script. */
export const maxConsoleScript = 60_000;

/** The module with the texts of a page. Throws when its script is larger than allowed. */
export async function consoleModule(page: "service" | "platform"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: { script: `runtime/console/open-${page}.tsx`, style: "runtime/console/style/console.css" },
    outdir: "console",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: ["es2022", "chrome123", "firefox121", "safari17.5"],
    // Calls of `h` with children behind its properties are a twentieth shorter than those of the JSX runtime.
    jsx: "transform",
    jsxFactory: "h",
    jsxFragment: "Fragment",
    // A variable is shorter than `void 0`, and there are hundreds of them.
    define: { undefined: "nothing" },
    inject: ["runtime/console/classic.ts"],
    tsconfigRaw: {},
    // Services read their chunks as one-byte text.
    charset: "ascii",
    legalComments: "none",
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text.trim() ?? "";
  // An end tag in a text would end the element that the script stands in.
  const code = textOf("script.js").replaceAll(/<\/(script|style)/gi, String.raw`\x3C/$1`);
  const script = `/*! preact: MIT, Jason Miller */${code}`;
  const style = textOf("style.css");
  if (script.length > maxConsoleScript)
    throw new Error(`The script of the ${page}'s console has ${script.length} bytes; ${maxConsoleScript} are allowed.`);
  const texts = { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
  return `export const consoleTexts = ${JSON.stringify(texts)};\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
