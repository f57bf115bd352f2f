import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillFromSystem } from "../../../../runtime/job/job-id.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test.each(["/dev/urandom", "/dev/null", "/nowhere"])("bytes from %s are not those of the call before", (device) => {
  const [first, second] = [Buffer.alloc(64), Buffer.alloc(64)];
  fillFromSystem(first, device);
  fillFromSystem(second, device);
  expect(first.equals(second)).toBe(false);
});

test("a file in the place of the device is not believed", () => {
  const file = join(temporaryFolder(), "urandom");
  writeFileSync(file, Buffer.alloc(64, 7));
  const bytes = Buffer.alloc(64);
  fillFromSystem(bytes, file);
  expect(bytes.every((byte) => byte === 7)).toBe(false);
});
