import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

const skill = `---
name: testing-primes
description: "Tells how numbers are tested: read it before you test many."
---

# Testing primes

See [the table](references/small primes.md). ${"`${not a template}`"} \u2028
`;
const picture = Buffer.from([137, 80, 78, 71, 0, 255]);

let user: PackedProject;
let served: Served;
beforeAll(async () => {
  user = packedProject({
    ...primeFiles,
    "src/skills/testing-primes/SKILL.md": skill,
    "src/skills/testing-primes/references/small primes.md": "2, 3, 5, 7\n",
    "src/skills/testing-primes/.notes.md": "not for others",
  });
  writeFileSync(join(user.root, "src/skills/testing-primes/spiral.png"), picture);
  expect(user.tenon("generate", "--skill")).toMatchObject({ status: 0 });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  served = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp"]);
});
afterAll(async () => {
  expect(await served.stop()).toBe(0);
  user.dispose();
});

describe.each([
  ["HTTP", () => new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`))],
  [
    "stdio",
    () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [join(user.root, "dist/service.mjs"), "--with-mcp-stdio"],
      }),
  ],
] as const)("the official client over %s", (_, transport) => {
  let client: Client;
  let skills: SkillsClient;
  beforeAll(async () => {
    client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(transport());
    skills = new SkillsClient(client);
  });
  afterAll(() => client.close());

  test("lists the skills, and reads and verifies each file of them", async () => {
    expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri)).toEqual(["skill://prime-numbers/SKILL.md", "skill://testing-primes/SKILL.md"]);
    const [, own] = listed;
    if (own === undefined) throw new Error("There is one skill only.");
    expect(own.frontmatter["description"]).toBe("Tells how numbers are tested: read it before you test many.");
    expect(await skills.read(own)).toMatchObject({
      verified: true,
      body: expect.stringContaining("${not a template}") as unknown,
    });
    expect(await skills.read(own, "references/small primes.md")).toMatchObject({ verified: true });
    const image = await skills.read(own, "spiral.png");
    expect(image).toMatchObject({ verified: true, mimeType: "image/png" });
    expect((own.resources as { uri: string }[]).map(({ uri }) => uri)).not.toContain(
      "skill://testing-primes/.notes.md",
    );
  });

  test("walks through folders", async () => {
    const { resources } = await skills.readDirectory("skill://testing-primes");
    expect(resources).toMatchObject([
      { name: "SKILL.md", mimeType: "text/markdown" },
      { name: "references", mimeType: "inode/directory" },
      { name: "spiral.png", size: picture.length },
    ]);
    const [, references] = resources;
    expect((await skills.readDirectory(references?.uri ?? "")).resources).toMatchObject([{ name: "small primes.md" }]);
    await expect(skills.readDirectory("skill://testing-primes/spiral.png")).rejects.toThrow(
      "is not a directory resource",
    );
    await expect(skills.get("skill://other/SKILL.md")).rejects.toThrow("No skill is served at skill://other/SKILL.md");
  });
});

test("a client without the extension finds each SKILL.md among the resources", async () => {
  const client = new OldClient({ name: "old", version: "1" });
  await client.connect(new OldTransport(new URL(`${served.url}/mcp`)));
  try {
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(["prime-numbers", "testing-primes"]);
    const { contents } = await client.readResource({ uri: "skill://testing-primes/SKILL.md" });
    expect(contents).toEqual([{ uri: "skill://testing-primes/SKILL.md", mimeType: "text/markdown", text: skill }]);
    await expect(client.readResource({ uri: "skill://testing-primes/no.md" })).rejects.toThrow("Resource not found");
  } finally {
    await client.close();
  }
});

describe("the generated skill", () => {
  const file = "src/skills/prime-numbers/SKILL.md";

  test("tells each tool in the words of its comment", () => {
    expect(user.read(file)).toMatch(
      /^---\nname: prime-numbers\ndescription: "Tells how the tools of Prime numbers are used: isPrime\. Tests numbers\."\n---\n[^]*## isPrime\n[^]*Tests whether a number is prime\.\n\nIt changes nothing\.\n\n- `number`: The number to test\./,
    );
  });

  test("is written again with the definition, and tenon check says when it is stale", () => {
    expect(user.tenon("check")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`${file} is up to date`) as unknown,
    });
    const written = user.read(file);
    user.write({ [file]: written.replace("It changes nothing.", "It changes a lot.") });
    const stale = user.tenon("check");
    expect([stale.status, stale.stderr]).toEqual([
      1,
      expect.stringMatching(/SKILL\.md is stale:[^]*Run `tenon generate`/) as unknown,
    ]);
    expect(user.tenon("generate")).toMatchObject({ status: 0 });
    expect(user.read(file)).toBe(written);
  });

  test("a skill of a person's is never written over", () => {
    const written = user.read(file);
    user.write({ [file]: "---\nname: prime-numbers\ndescription: Mine.\n---\n" });
    const refused = user.tenon("generate", "--skill");
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("was not made by tenon") as unknown]);
    expect(user.tenon("generate")).toMatchObject({ status: 0 });
    user.write({ [file]: written });
  });
});

test("a skill that hosts would refuse ends the build", () => {
  user.write({ "src/skills/broken/SKILL.md": "# Broken\n" });
  const { status, stderr } = user.tenon("build", "--outdir", "other");
  expect([status, stderr]).toEqual([1, expect.stringMatching(/src\/skills\/broken\/SKILL\.md:1:1 +TN414/) as unknown]);
});
