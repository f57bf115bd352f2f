import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareContracts } from "../cli/contracts/compare-contracts.ts";
import type { Contract } from "../cli/contracts/contract.ts";
import type { Finding } from "../cli/contracts/finding.ts";
import { parseContract } from "../cli/contracts/parse-contract.ts";
import type { JsonSchema } from "../runtime/contract/contract.ts";
import { referee } from "./unit/plugin/emit/referee.ts";

/** `UPDATE=1 npx vitest run test/contracts.test.ts` writes what is found; read the difference. */
const update = process.env["UPDATE"] !== undefined;
const folder = "test/contracts";
const cases = readdirSync(folder);

function read(name: string, file: string): Contract {
  const contract = parseContract(readFileSync(join(folder, name, file), "utf8"));
  if (typeof contract === "string") throw new Error(`${name}/${file}: ${contract}`);
  return contract;
}

test.each(cases)("%s", (name) => {
  const [before, after] = [read(name, "before.json"), read(name, "after.json")];
  const found = compareContracts(before, after);
  const file = join(folder, name, "findings.json");
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (update || !existsSync(file)) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
  // Nothing breaks without a proof, and ajv agrees with each.
  for (const finding of found.filter(({ severity }) => severity === "breaking")) {
    expect(finding).toHaveProperty("witness");
    if (/^(?:request|result|message)/.test(finding.place)) judge(finding, before, after);
  }
});

/** Rules about the tool itself: the schemas of its requests are the same. */
const others = new Set([
  "result-kind-changed",
  "strict-added",
  "message-removed",
  "message-key-changed",
  "scope-added",
]);

function judge({ tool, place, rule, witness }: Finding, before: Contract, after: Contract): void {
  if (others.has(rule)) return;
  const key = place.startsWith("result") ? "result-schema" : "request-schema";
  const [, message] = /^message (\S+)/.exec(place) ?? [];
  const [old, now] = [before, after].map(({ tools }) => {
    const found = tools.find(({ name }) => name === tool);
    const wait = found?.waits?.find(({ name }) => name === message);
    if (wait !== undefined) return referee(wait["message-schema"] ?? {})(witness?.value);
    const closed = found?.strict === true ? { additionalProperties: false } : {};
    return referee({ type: "object", ...found?.[key], ...closed } as JsonSchema)(witness?.value);
  });
  expect({ rule, old, now }).toEqual({ rule, old: key === "request-schema", now: key === "result-schema" });
}
