import { afterAll, expect, test } from "vitest";
import { largeModule } from "../support/large-types.ts";
import { packedProject } from "../support/packed-project.ts";

const user = packedProject({
  "package.json": '{ "name": "large", "version": "1.0.0", "type": "module" }',
  "tsconfig.json": '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [] }, "include": ["src"] }',
});
afterAll(() => user.dispose());

/** Prints the peak of resident memory in kilobytes, as the last line. */
const shown = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))';

test("an object of 10,000 fields is built, by a bundler whose stack it does not overflow, in less than 1 GB", () => {
  user.write({ "src/service.ts": largeModule("fields") });
  const words = ["build", "--no-code-cache"];
  const { status, stdout, stderr } = user.node(["--import", shown, "node_modules/tenon/dist/cli/main.js", ...words]);
  expect(`${stdout}${stderr}`).toContain("TN504");
  expect(status).toBe(0);
  expect(Number(stderr.trim().split("\n").at(-1))).toBeLessThan(1_000_000);
});
