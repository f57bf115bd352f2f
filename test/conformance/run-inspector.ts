/**
 * `npm run inspector`: the official inspector, without a screen, lists and calls the conformance fixture in both eras
 * over HTTP and stdio, and checks its schemas strictly. npx fetches it, because it weighs 112 MB.
 */
import { spawnSync } from "node:child_process";
import { buildFixture, startFixture, stdioCommand } from "../../scripts/conformance/fixture-service.ts";

const inspector = ["-y", "@modelcontextprotocol/inspector@2.12.0", "--cli"];
const calls: readonly (readonly string[])[] = [
  ["--method", "tools/list", "--strict"],
  ["--method", "tools/call", "--tool-name", "greet", "--tool-arg", "name=inspector"],
  // As a task if possible; the inspector polls it until it is done.
  ["--method", "tools/call", "--tool-name", "slow_compute", "--tool-arg", "seconds=1"],
  ["--method", "prompts/list"],
  ["--method", "resources/list"],
  ["--method", "resources/read", "--uri", "test://static-text"],
];

buildFixture();
const service = await startFixture();
let failures = 0;
try {
  for (const era of ["modern", "legacy"]) {
    for (const [transport, target] of [
      ["http", [service.url, "--transport", "http"]],
      ["stdio", stdioCommand],
    ] as const) {
      for (const call of calls) {
        const words = [...inspector, ...target, "--protocol-era", era, ...call, "-q", "--format", "json"];
        const { status, stdout, stderr } = spawnSync("npx", words, { encoding: "utf8" });
        console.log(`${status === 0 ? "ok    " : "FAILED"} ${era} ${transport} ${call.slice(1).join(" ")}`);
        if (status === 0) continue;
        failures += 1;
        console.log(`${stdout}${stderr}`);
      }
    }
  }
} finally {
  await service.stop();
}
process.exitCode = failures === 0 ? 0 : 1;
