/** Builds the package into `dist/`: one file per source file, with declarations. `npm run build`, and `prepack`. */
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";

// The compiler writes `./x.js` into JavaScript, but leaves `./x.ts` in declarations, which would not resolve once packed.
const relativeTs = /((?:from|import)\s*\(?\s*")(\.{1,2}\/[^"]+)\.ts"/g;
// Where the optional peer is not installed its types are `any`, and that must not fail a user's type check.
const optionalPeer = /^(?=import type .* from "openai";$)/gm;

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
for (const file of globSync("dist/**/*.d.ts")) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(relativeTs, '$1$2.js"').replace(optionalPeer, "// @ts-ignore: optional peer\n"));
}
writeFileSync("dist/plugin/read/recheck.cjs", bundledRecheck());
chmodSync("dist/cli/main.js", 0o755);

/**
 * recheck's plain JavaScript form with its licence. As a dependency the package would bring 50 MB of programs for other
 * ways to run it to every user.
 */
function bundledRecheck(): string {
  const { version } = JSON.parse(readFileSync("node_modules/recheck/package.json", "utf8")) as { version: string };
  const licence = readFileSync("node_modules/recheck/LICENSE", "utf8").trim();
  const note = `recheck ${version}, unchanged. It contains parts of the Scala and Scala.js libraries (Apache-2.0).`;
  return `/*!\n${note}\n\n${licence}\n*/\n${readFileSync("node_modules/recheck/lib/browser.js", "utf8")}`;
}
