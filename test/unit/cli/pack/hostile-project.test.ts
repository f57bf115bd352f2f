import { symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../cli/base/usage.ts";
import { readPackageFacts } from "../../../../cli/pack/package-facts.ts";
import { mcpbFile, readIcon } from "../../../../cli/pack/pack-mcpb.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** `tenon pack` in a project that somebody else has made. */

test.each([
  ["@a/../../evil", "1.0.0"],
  ["../../evil", "1.0.0"],
  ["/etc/evil", "1.0.0"],
  ["a\\..\\evil", "1.0.0"],
  ["evil", "../../1.0.0"],
  ["a\nb\0c", "1.0.0"],
])("the name %j and the version %j lead nowhere else", (name, version) => {
  const root = temporaryFolder();
  writeFileSync(join(root, "package.json"), JSON.stringify({ name }));
  const file = mcpbFile(readPackageFacts(root), { version });
  expect([dirname(file), file]).toEqual([root, expect.stringMatching(/[\\/][\w.+-]+\.mcpb$/)]);
});

test.each(["null", "[]", "7", '"text"'])("package.json with %s is a mistake of the project", (text) => {
  const root = temporaryFolder();
  writeFileSync(join(root, "package.json"), text);
  expect(() => readPackageFacts(root)).toThrow(CommandError);
});

describe("the picture", () => {
  test("is not another file behind a link, and not a folder", () => {
    const root = temporaryFolder();
    const file = join(root, "icon.png");
    expect(readIcon(file)).toBeUndefined();
    writeFileSync(join(root, "secret"), "root:x:0:0");
    symlinkSync(join(root, "secret"), file);
    expect(() => readIcon(file)).toThrow(/is not a picture in PNG/);
    mkdirSync(join(root, "folder"));
    expect(() => readIcon(join(root, "folder"))).toThrow(CommandError);
  });

  test("is a PNG", () => {
    const file = join(temporaryFolder(), "icon.png");
    const bytes = Buffer.from("iVBORw0KGgoAAAANSUhEUg==", "base64");
    writeFileSync(file, bytes);
    expect(readIcon(file)).toEqual(bytes);
  });
});
