import { chmodSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { readNpmPackage } from "../../../../../cli/contracts/against/npm-package.ts";
import { tarOf } from "../../../../support/tar.ts";
import { temporaryFolder, writeFiles } from "../../../../support/temporary-folder.ts";

/** An npm that writes its words and these bytes to the folder it is given, and ends with a status. */
function fakeNpm(archive: Buffer | undefined, status = 0): () => string {
  const root = temporaryFolder({ archive: "" });
  const bytes = archive?.toString("base64") ?? "";
  const save = archive === undefined ? "" : `echo '${bytes}' | base64 -d > "$6/x.tgz"`;
  writeFiles(root, { npm: `#!/bin/sh\necho "$@" > '${root}/words'\n${save}\necho ' from npm ' >&2\nexit ${status}\n` });
  chmodSync(join(root, "npm"), 0o755);
  vi.stubEnv("PATH", [root, process.env["PATH"]].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => root;
}

const folders = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("tenon-npm-"));

test("the definition is read from the archive of a package, and nothing is left", () => {
  const known = folders();
  // Files of a whole block, of less, and of none come before it.
  const before = { "package/a": "x".repeat(512), "package/b": "y".repeat(700), "package/c": "" };
  fakeNpm(tarOf({ ...before, "package/service.json": '{ "é": 1 }', "package/z": "z" }));
  expect(readNpmPackage("@own/pack.age@^1.2.3")).toBe('{ "é": 1 }');
  expect(folders()).toEqual(known);
});

test.each([
  [tarOf({ "package/other.json": "{}" }), 0, /^The package own holds no service\.json\. Add it to `files`/],
  [Buffer.from("text"), 0, "The package own is not a gzip archive."],
  [gzipSync(Buffer.alloc(700, "x")), 0, /holds no service\.json/],
  [undefined, 0, "npm has no package own, or cannot be reached.\nfrom npm"],
  [tarOf({}), 1, "npm has no package own, or cannot be reached.\nfrom npm"],
])("an archive without it is an error: %#", (archive, status, error) => {
  fakeNpm(archive, status);
  expect(() => readNpmPackage("own")).toThrow(error);
});

test.each(["./own", "../own", "own a", "-own", "own@1;x", "@own", "http://own", "own/pack", ""])(
  "%j is not the name of a package",
  (spec) => {
    fakeNpm(undefined);
    expect(() => readNpmPackage(spec)).toThrow(`npm:${spec} is not a package. Write npm:name@version.`);
  },
);

test("a machine without npm says so", () => {
  vi.stubEnv("PATH", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => readNpmPackage("own")).toThrow(/^npm cannot be started: .*ENOENT\.$/);
});
