/** Bundles what views consist of beside the author's code (`runtime/view`) into texts of the package. */
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { bundleView } from "../../plugin/views/bundle-view.ts";
import { scriptElement } from "../../plugin/views/html-parts.ts";
import { foldersOf, type MadeModule, thirdPartyIn } from "./third-party.ts";

/** Maximum bytes of the first script of every view: most are the validators of MCP's own packages. */
const maxViewScript = 260_000;

/** The module with the first script of every view. Throws when it is larger than allowed. */
export async function viewTextsModule(): Promise<MadeModule> {
  const bundle = await rolldown({
    input: "runtime/web/view/open-view.ts",
    platform: "browser",
    tsconfig: "runtime/web/view/tsconfig.json",
    transform: { target: "es2022" },
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: { legal: false } });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  const folders = foldersOf(moduleIds);
  const { html, hash } = scriptElement(`${noticeOf(folders)}\n${code.trim()}`, "");
  const script = html.slice("<script>".length, -"</script>".length);
  if (script.length > maxViewScript)
    throw new Error(`The first script of views has ${script.length} bytes; ${maxViewScript} are allowed.`);
  return { code: `export const viewTexts = ${JSON.stringify({ script, scriptHash: hash })};\n`, folders };
}

/** The module with the document of `@view auto`. */
export async function autoTextsModule(): Promise<string> {
  const { html, hashes, problems } = await bundleView(resolve("runtime/web/auto-view/auto.view.tsx"));
  if (problems.length > 0) throw new Error(problems.map(({ message, file }) => `${file}: ${message}`).join("\n"));
  return `export const autoTexts = ${JSON.stringify({ html, hashes })};\n`;
}

/** Names, versions and licences of the packages in a script. */
function noticeOf(folders: readonly string[]): string {
  return `/*! ${folders
    .map(thirdPartyIn)
    .map(({ name, version, license }) => `${name} ${version} (${license})`)
    .join(", ")} */`;
}
