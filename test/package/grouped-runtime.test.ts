import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { packedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

const build = `
import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import tenon from "tenon/esbuild";
const { metafile } = await build({
  entryPoints: ["src/service.ts"], bundle: true, outdir: "dist", metafile: true, plugins: [tenon()],
});
writeFileSync("meta.json", JSON.stringify(metafile));
`;

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly imports: readonly { path: string; kind: string }[] }>>;
}

test("a bundle has each module of the runtime once, and a start reads few files", () => {
  const user = packedProject({ ...primeFiles, "build.mjs": build }, { packages: ["esbuild"] });
  onTestFinished(() => user.dispose());
  expect(user.node(["build.mjs"])).toMatchObject({ status: 0 });
  const { inputs, outputs } = JSON.parse(user.read("meta.json")) as Metafile;
  const ours = Object.keys(inputs).flatMap((file) => /\/dist\/runtime\/(.*)$/.exec(file)?.[1] ?? []);
  const grouped = ours.flatMap((file) => /^grouped\/(.*)$/.exec(file)?.[1] ?? []);
  expect(grouped).toContain("index.js");
  // Two forms of one module would be two states, and errors of two classes.
  expect(ours.filter((file) => grouped.includes(file))).toEqual([]);
  const atStart = new Set(["dist/service.mjs"]);
  for (const file of atStart)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === "import-statement") atStart.add(path);
  expect([...atStart].filter((file) => file.startsWith("dist/")).length).toBeLessThan(12);
});

const byVite = `
import { build } from "vite";
import tenon from "tenon/vite";
await build({ plugins: [tenon()], build: { ssr: "src/service.ts", outDir: "dist" } });
`;
const byRolldown = `
import { rolldown } from "rolldown";
import tenon from "tenon/rolldown";
const bundle = await rolldown({ input: "src/service.ts", plugins: [tenon()] });
await bundle.write({ dir: "dist" });
`;

test.each([
  ["vite", byVite],
  ["rolldown", byRolldown],
])("%s: of many chunks, only the first one of a start has the banner", (bundler, script) => {
  const user = packedProject(
    { ...primeFiles, "build.mjs": script },
    { packages: bundler === "rolldown" ? [] : [bundler] },
  );
  onTestFinished(() => user.dispose());
  expect(user.node(["build.mjs"])).toMatchObject({ status: 0 });
  const files = readdirSync(`${user.root}/dist`, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".mjs"),
  );
  expect(files.length).toBeGreaterThan(50);
  const guarded = files.filter((file) => /^[^\n]*TENON_STDOUT_GUARD/.test(user.read(`dist/${file}`)));
  expect(guarded).toMatchObject([expect.stringMatching(/^chunks\/runtime-/)]);
});
