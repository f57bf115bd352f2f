import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CommandError } from "../../base/usage.ts";

/** `service.json` of a published package, fetched with the user's own npm and npm's configuration. */
export function readNpmPackage(spec: string): string {
  // npm would read a name that begins with a dot as a folder, and run that folder's scripts.
  if (!/^(?:@\w[\w.-]*\/)?\w[\w.-]*(?:@[\w.^~*+-]+)?$/.test(spec)) {
    throw new CommandError(`npm:${spec} is not a package. Write npm:name@version.`);
  }
  const folder = mkdtempSync(join(tmpdir(), "tenon-npm-"));
  try {
    // On Windows npm is a script that only a shell can start. This is safe, since the checked name has no character
    // that is special in a shell.
    const { status, stderr, error } = spawnSync(
      "npm",
      ["pack", spec, "--silent", "--ignore-scripts", "--pack-destination", folder],
      {
        cwd: folder,
        encoding: "utf8",
        shell: process.platform === "win32",
      },
    );
    if (error !== undefined) throw new CommandError(`npm cannot be started: ${error.message}.`);
    const file = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (status !== 0 || file === undefined) {
      throw new CommandError(`npm has no package ${spec}, or cannot be reached.\n${stderr.trim()}`.trim());
    }
    const text = readFromTar(unpacked(readFileSync(join(folder, file)), spec), "package/service.json");
    if (text !== undefined) return text;
    throw new CommandError(`The package ${spec} holds no service.json. Add it to \`files\` of its package.json.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Maximum bytes of an unpacked npm package. */
const largest = 2 ** 29;

function unpacked(archive: Buffer, spec: string): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: largest });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ERR_BUFFER_TOO_LARGE" ? `is larger than ${largest} bytes unpacked` : "is not a gzip archive";
    throw new CommandError(`The package ${spec} ${why}.`);
  }
}

const block = 512;

/** A file from a tar archive, in which a header of 512 bytes precedes the bytes of each file. */
function readFromTar(archive: Buffer, wanted: string): string | undefined {
  for (let at = 0; at + block <= archive.length;) {
    const name = archive.toString("utf8", at, at + 100).replace(/\0.*$/s, "");
    // A negative size would move the position backwards, and the loop would not end.
    const size = Math.max(0, Number.parseInt(archive.toString("latin1", at + 124, at + 136), 8) || 0);
    if (name === wanted) return archive.toString("utf8", at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
  }
  return undefined;
}
