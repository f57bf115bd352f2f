import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundledPackages } from "../scripts/supply-chain/bundled-packages.ts";
import { thirdPartyFile } from "../scripts/build/third-party.ts";
import { judgeTree } from "../scripts/supply-chain/judge-tree.ts";
import { productionTree, type Lockfile } from "../scripts/supply-chain/production-tree.ts";
import { sbomText } from "../scripts/supply-chain/write-sbom.ts";

const lockfile = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lockfile;
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
const tree = productionTree(lockfile);

test("what users install is few packages, under licences that ask for little, and runs no scripts", () => {
  expect(Object.keys(dependencies).filter((name) => !tree.some((one) => one.name === name))).toEqual([]);
  expect(judgeTree(tree).problems).toEqual([]);
});

test("every dependency of ours is pinned", () => {
  expect(Object.entries(dependencies).filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});

test("a script, a licence and one package too many are told", () => {
  const packages = {
    "": { dependencies: { one: "1.0.0", two: "1.0.0" } },
    "node_modules/one": {
      license: "MIT",
      dependencies: { deep: "1.0.0" },
      optionalDependencies: { "one-linux-x64": "1" },
    },
    "node_modules/one-linux-x64": {},
    "node_modules/one/node_modules/deep": { license: "GPL-3.0" },
    "node_modules/two": { license: "ISC", hasInstallScript: true, peerDependencies: { deep: "2.0.0" } },
    "node_modules/deep": { license: "ISC" },
    "node_modules/unused": { license: "GPL-3.0" },
  };
  const small = productionTree({ packages });
  expect(small.map(({ place }) => place.replace("node_modules/", ""))).toEqual([
    "deep",
    "one/node_modules/deep",
    "one",
    "one-linux-x64",
    "two",
  ]);
  expect(judgeTree(small, 4).problems).toEqual([
    "deep is under GPL-3.0, which nobody has agreed to.",
    "two runs a script when it is installed.",
    "5 packages are installed, more than 4: say in the commit why, and raise the limit.",
  ]);
});

test("the bill of materials has every package with its version, hash and licence", () => {
  const { components } = JSON.parse(sbomText(process.cwd())) as {
    components: {
      name: string;
      version: string;
      hashes?: object[];
      licenses?: object[];
      properties?: { name: string; value: string }[];
    }[];
  };
  const inFiles = bundledPackages(process.cwd(), lockfile);
  // Of each bundle one: telemetry, the client of `tenon call`, the plugin (with a nested package), the console, views.
  const names = [
    "@opentelemetry/sdk-trace",
    "@modelcontextprotocol/client",
    "parse5",
    "entities",
    "preact",
    "@modelcontextprotocol/ext-apps",
    "recheck",
  ];
  expect(inFiles.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  const bundled = inFiles.filter(({ place }) => !tree.some((one) => one.place === place));
  const everywhere = tree.filter(({ ofPlatform }) => !ofPlatform);
  expect(components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(
    [...everywhere, ...bundled].map(({ name, locked }) => `${name}@${locked.version}`).toSorted(),
  );
  const isBundled = { name: "cdx:npm:package:bundled", value: "true" };
  expect(
    components
      .filter(({ properties = [] }) => properties.some((one) => one.name === isBundled.name && one.value === "true"))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(bundled.map(({ name }) => name).toSorted());
  for (const { hashes, licenses } of components) {
    expect(hashes).toHaveLength(1);
    expect(licenses).toHaveLength(1);
  }
});

test("the licence of every bundled package is in the package", () => {
  const text = readFileSync(thirdPartyFile, "utf8");
  const owners = ["Copyright (c) Felix Böhm", "Jason Miller", "END OF TERMS AND CONDITIONS"];
  expect(owners.filter((owner) => !text.includes(owner))).toEqual([]);
});

test("workflows run actions of one commit, not of a tag that can move, and have no rights but those they name", () => {
  const files = globSync(".github/workflows/*.yml");
  expect(files).not.toEqual([]);
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const uses = [...text.matchAll(/uses: *(\S+)/g)].map(([, action]) => action);
    expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ""))).toEqual([]);
    expect(text).toMatch(/^permissions: \{\}$/m);
  }
  expect(readFileSync(".github/workflows/release.yml", "utf8")).toContain("npm publish --provenance");
});
