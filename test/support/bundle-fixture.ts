import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import tenon from "../../plugin/bundlers/rolldown.ts";

export interface BundledFixture extends Disposable {
  readonly root: string;
  /** Path of an entry's bundle, by its name without extension. */
  entry(name: string): string;
}

/**
 * Builds entries of a folder below `test/fixtures` with the plugin, into a folder of their own.
 *
 * @param prepare Changes the copy before it is built.
 */
export async function bundleFixture(
  fixture: string,
  names: readonly string[],
  prepare: (root: string) => void = () => {},
): Promise<BundledFixture> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-fixture-")));
  cpSync(join("test/fixtures", fixture), root, { recursive: true });
  mkdirSync(join(root, "node_modules"));
  symlinkSync(resolve("node_modules/@opentelemetry"), join(root, "node_modules/@opentelemetry"));
  prepare(root);
  for (const name of names) {
    await using build = await rolldown({
      cwd: root,
      input: `src/${name}.ts`,
      platform: "node",
      plugins: [tenon({ cache: false, service: false })],
      onLog() {},
    });
    await build.write({
      dir: join(root, "dist", name),
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      minify: true,
    });
  }
  return {
    root,
    entry: (name) => join(root, "dist", name, `${name}.mjs`),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
