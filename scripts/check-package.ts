/** Packs the package and checks its declarations for every kind of importer. `npm run package`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "tenon-pack-"));
try {
  const packed = spawnSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    encoding: "utf8",
  });
  if (packed.status !== 0) throw new Error(packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  // Types are published for ES modules only, as the package is; the CommonJS view of the checker does not apply.
  const judged = spawnSync("npx", ["attw", join(folder, filename), "--profile", "esm-only"], { stdio: "inherit" });
  process.exitCode = judged.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
