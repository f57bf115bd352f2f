import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkAgainst, compareInThread } from "../../../../../cli/contracts/against/check-against.ts";
import type { Contract } from "../../../../../cli/contracts/contract.ts";
import type { CompiledProject, ServiceFile } from "../../../../../plugin/index.ts";
import { temporaryFolder, writeFiles } from "../../../../support/temporary-folder.ts";

const contractOf = (version: string, required: readonly string[], more: object = {}): Contract =>
  ({
    name: "Own",
    version,
    ...more,
    tools: [
      {
        name: "half",
        description: "Halves.",
        annotations: {},
        ...more,
        "request-schema": {
          type: "object",
          properties: { n: { type: "number" } },
          required,
        },
      },
    ],
  }) as unknown as Contract;
const old = contractOf("1.2.3", []);
const broken = contractOf("1.3.0", ["n"]);

/** The check of a definition against the old one, in a folder outside of a repository. */
function project(definition: Contract) {
  const root = temporaryFolder({ "old.json": JSON.stringify(old) });
  const file = { file: join(root, "service.json"), definition } as unknown as ServiceFile;
  const tools = ["src/half.ts:12", "src/a:b.ts:3", "src/none"].map((source, index) => ({
    definition: { name: ["half", "other", "odd"][index], source },
  })) as unknown as CompiledProject["tools"];
  return { root, check: (ref: string) => checkAgainst(ref, file, { tools }, root) };
}

test("a check has the findings, the version that they need, the tokens and the places of tools", async () => {
  const { root, check } = project(broken);
  vi.spyOn(process, "cwd").mockReturnValue(root);
  onTestFinished(() => void vi.restoreAllMocks());
  const { placeOf, ...found } = await check(join(root, "old.json"));
  expect(found).toMatchObject({
    against: join(root, "old.json"),
    findings: [{ severity: "breaking", rule: "required-added" }],
    unused: [],
    version: { before: "1.2.3", after: "1.3.0", needed: "2.0.0" },
    tokens: { before: expect.any(Number) as number, after: expect.any(Number) as number },
  });
  expect(["half", "other", "odd", "service"].map(placeOf)).toEqual([
    { file: "src/half.ts", line: 12 },
    { file: "src/a:b.ts", line: 3 },
    { file: "service.json" },
    { file: "service.json" },
  ]);
});

test("exceptions accept findings until their last day", async () => {
  const { root, check } = project(broken);
  const allow = async (until: string) => {
    const entry = { tool: "half", rule: "required-added", reason: "new", until };
    writeFiles(root, { "tenon.allow.json": JSON.stringify({ allow: [entry, { ...entry, tool: "gone" }] }) });
    const { findings, unused } = await check(join(root, "old.json"));
    return [findings[0]?.allowed, findings[0]?.ended, unused.map(({ tool }) => tool)];
  };
  expect(await allow("9999-12-31")).toEqual(["new", undefined, ["gone"]]);
  expect(await allow("2020-01-01")).toEqual([undefined, "2020-01-01", ["gone"]]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-31T23:59:59.999Z") });
  onTestFinished(() => void vi.useRealTimers());
  expect(await allow("2026-01-31")).toEqual(["new", undefined, ["gone"]]);
  vi.setSystemTime("2026-02-01T00:00:00Z");
  expect(await allow("2026-01-31")).toEqual([undefined, "2026-01-31", ["gone"]]);
});

test("without changes nothing is needed", async () => {
  const { root, check } = project(old);
  const { findings, version, tokens } = await check(join(root, "old.json"));
  expect([findings, version, tokens?.before]).toEqual([[], { before: "1.2.3", after: "1.2.3" }, tokens?.after]);
});

test("a running service is asked for the results that its jobs have kept", async () => {
  const steps = [{ name: "charge", fingerprint: "f", "result-schema": { type: "number" } }];
  const durable = contractOf("1.2.3", [], { durable: true, steps });
  const server = createServer(({ url = "" }, response) => {
    const answer = url.startsWith("/jobs?")
      ? { items: url.includes("status=pending") ? [{ id: "a" }] : [] }
      : url === "/jobs/a/history"
        ? { kept: { charge: "text" } }
        : durable;
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { root, check } = project(durable);
  expect((await check(address)).findings).toMatchObject([{ place: "step charge", rule: "kept-result" }]);
  writeFiles(root, { "durable.json": JSON.stringify(durable) });
  expect((await check(join(root, "durable.json"))).findings).toEqual([]);
});

test("a comparison that takes too long, or that fails, is an error with the name of the contract", async () => {
  await expect(compareInThread("HEAD", old, broken, 0)).rejects.toThrow(
    "HEAD cannot be compared: it takes more than 0 seconds.",
  );
  await expect(compareInThread("HEAD", { tools: 1 } as never, broken)).rejects.toThrow(
    /^HEAD cannot be compared: .*not.*\.$/,
  );
  expect(await compareInThread("HEAD", old, broken)).toHaveLength(1);
});
