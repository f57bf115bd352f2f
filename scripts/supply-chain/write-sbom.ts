import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledPackages } from "./bundled-packages.ts";
import { productionTree, type Lockfile } from "./production-tree.ts";

/**
 * The bill of materials of the package as CycloneDX, by `npm sbom`. It stops at the folders of the workspace, which
 * have no version, so it gets a copy of the lock file with no more than what users install, and the packages that are
 * inside a file of ours as bundled ones. The same tree gives the same text.
 */
export function sbomText(root: string): string {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));
  const { name, version, license, dependencies } = read("package.json") as Record<string, unknown>;
  const lockfile = read("package-lock.json") as Lockfile;
  const tree = productionTree(lockfile).filter(({ ofPlatform }) => !ofPlatform);
  // Some of them are installed as well.
  const bundled = bundledPackages(root, lockfile).filter(({ place }) => !tree.some((one) => one.place === place));
  const inside = Object.fromEntries(bundled.map((one) => [one.name, one.locked.version]));
  const bundleDependencies = Object.keys(inside);
  const self = { name, version, license, dependencies: { ...(dependencies as object), ...inside }, bundleDependencies };
  const places = [...bundled, ...tree].map(({ place, locked }) => [place, locked] as const);
  const packages = { "": self, ...Object.fromEntries(places) };
  const outer = mkdtempSync(join(tmpdir(), "tenon-sbom-"));
  // The folder's name is in the text.
  const folder = join(outer, String(name));
  mkdirSync(folder);
  try {
    const write = (file: string, value: unknown): void => writeFileSync(join(folder, file), JSON.stringify(value));
    write("package.json", self);
    write("package-lock.json", { name, version, lockfileVersion: 3, requires: true, packages });
    const words = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
    const { status, stdout, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
    const { serialNumber: _, metadata, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
    const { timestamp: __, ...about } = metadata as Record<string, unknown>;
    return `${JSON.stringify({ ...rest, metadata: about }, undefined, 2)}\n`;
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
}
