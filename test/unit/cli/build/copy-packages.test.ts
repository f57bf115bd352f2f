import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyPackages, foldersToCopy } from "../../../../cli/build/copy-packages.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

function packageOf(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({ name, version, dependencies });
}

test("a nested package has what it needs from outside, each in its version", () => {
  const root = temporaryFolder({
    "node_modules/native/package.json": packageOf("native", "1.0.0", { semver: "7", cycle: "1", own: "1" }),
    "node_modules/native/node_modules/semver/package.json": packageOf("semver", "7.0.0", {
      "lru-cache": "6",
      cycle: "1",
      own: "2",
    }),
    "node_modules/native/node_modules/cycle/package.json": packageOf("cycle", "1.0.0", { semver: "7" }),
    "node_modules/native/node_modules/semver/node_modules/own/package.json": packageOf("own", "2.0.0"),
    "node_modules/semver/package.json": packageOf("semver", "5.0.0"),
    "node_modules/own/package.json": packageOf("own", "1.0.0"),
    "node_modules/lru-cache/package.json": packageOf("lru-cache", "6.0.0", { yallist: "4" }),
    "node_modules/yallist/package.json": packageOf("yallist", "4.0.0"),
  });
  const outside = [{ name: "native", folder: join(root, "node_modules/native"), reason: "native" as const }];
  const outdir = join(root, "dist");
  copyPackages(outside, outdir);
  expect(foldersToCopy(outside, root).filter((folder) => !existsSync(join(outdir, folder)))).toEqual([]);
  const versionOf = (folder: string): unknown =>
    (JSON.parse(readFileSync(join(outdir, "node_modules", folder, "package.json"), "utf8")) as { version: unknown })
      .version;
  expect(versionOf("yallist")).toBe("4.0.0");
  expect(versionOf("own")).toBe("1.0.0");
  expect(versionOf("native/node_modules/semver/node_modules/own")).toBe("2.0.0");
  expect(existsSync(join(outdir, "node_modules/semver"))).toBe(false);
});
