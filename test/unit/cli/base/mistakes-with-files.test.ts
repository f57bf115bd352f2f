import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readPresent } from "../../../../cli/base/read-present.ts";
import { CommandError } from "../../../../cli/base/usage.ts";
import { writeProjectFile } from "../../../../cli/base/write-result.ts";
import { run as client } from "../../../../cli/commands/client.ts";
import { run as init } from "../../../../cli/commands/init.ts";
import { bareEnv } from "../../../support/bare-env.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const main = join(import.meta.dirname, "../../../../cli/main.ts");
const service = join(import.meta.dirname, "../../../../examples/is-prime/service.json");

test("a file that may be missing is read, and anything else there is a mistake of the user", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "text");
  expect(readPresent(join(folder, "file"))).toBe("text");
  expect(readPresent(join(folder, "none"))).toBeUndefined();
  expect(readPresent(join(folder, "file", "none"))).toBeUndefined();
  expect(() => readPresent(folder)).toThrow(new CommandError(`${folder} cannot be read (EISDIR).`));
});

test("a file of a project is written with its folders, or the user is told why not", () => {
  const folder = temporaryFolder();
  writeProjectFile(join(folder, "a", "b"), "text");
  expect(readPresent(join(folder, "a", "b"))).toBe("text");
  const within = join(folder, "a", "b");
  expect(() => writeProjectFile(join(within, "c"), "")).toThrow(new CommandError(`${within} cannot be made (EEXIST).`));
});

test("a client cannot be written to a folder, and no service made in a file", async () => {
  const folder = temporaryFolder();
  await expect(client([service, "-o", folder])).rejects.toThrow(new CommandError(`${folder} cannot be read (EISDIR).`));
  const file = join(folder, "file");
  writeFileSync(file, "");
  await expect(init([file])).rejects.toThrow(new CommandError(`${file} cannot be made (EEXIST).`));
  // The folder of the editor, whose files say whether it is used.
  const settings = join(folder, ".vscode");
  writeFileSync(settings, "");
  await expect(init([folder])).rejects.toThrow(new CommandError(`${settings} cannot be made (EEXIST).`));
});

test("a command ends without a word once nobody reads what it prints", async () => {
  const command = spawn(process.execPath, [main, "client", service], { env: bareEnv() });
  // The pipe is closed before the command prints, as by a program that ends at once.
  command.stdout.destroy();
  const [told, [code]] = await Promise.all([text(command.stderr), once(command, "close")]);
  expect({ told, code }).toEqual({ told: "", code: 141 });
});
