import { writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { v0_3 } from "@anthropic-ai/mcpb";
import type { ServiceFile } from "../../plugin/index.ts";
import { CommandError } from "../../cli/base/usage.ts";
import { makeManifest } from "../../cli/pack/mcpb-manifest.ts";
import { mcpbFile } from "../../cli/pack/pack-mcpb.ts";
import { readPackageFacts } from "../../cli/pack/package-facts.ts";
import { makeServerJson } from "../../cli/pack/server-json.ts";
import { settingOf } from "../../cli/pack/read-settings.ts";
import { processorTime } from "../support/processor-time.ts";
import type { Attack } from "./attack.ts";
import { naughtyStrings } from "./naughty-strings.ts";

/** Texts that names of files, templates of hosts and slow patterns trip over. */
const forPacks: readonly string[] = [
  "../../../../tmp/x",
  "..\\..\\x",
  "/etc/passwd",
  "C:\\Windows\\x",
  "@scope/../../x",
  "a\u0000b",
  "${user_config.x}",
  "${__dirname}/../x",
  "-o/tmp/x",
  "__proto__",
  "constructor",
  `Ada${" ".repeat(100_000)}<`,
  `git@${"a:".repeat(50_000)}`,
  "<".repeat(100_000),
  "x".repeat(1_000_000),
];

const definition = {
  name: "Primes",
  description: "Finds primes.",
  version: "1.2.3",
  contact: undefined,
  tools: [{ name: "is_prime", description: "Is it?" }],
} as unknown as ServiceFile["definition"];
const settings = [
  settingOf({ name: "API_KEY", kind: "text", description: "A key.", fallback: "x", isRequired: false }),
];
const packageJson = {
  name: "@ada/primes",
  version: "1.2.3",
  author: "Ada <ada@example.org>",
  repository: "ada/primes",
  mcpName: "io.github.ada/primes",
  bin: "dist/service.mjs",
};

type Put = (text: unknown) => {
  readonly file?: object;
  readonly definition?: object;
  readonly settings?: typeof settings;
};

/** Places where a text can stand: in package.json, in the definition, in the variables of the code. */
const spots: Readonly<Record<string, Put>> = {
  ...Object.fromEntries(
    ["name", "description", "author", "repository", "homepage", "license", "mcpName", "bin"].map(
      (key): [string, Put] => [key, (text) => ({ file: { [key]: text } })],
    ),
  ),
  "author's parts": (text) => ({ file: { author: { name: text, email: text, url: text } } }),
  "repository's parts": (text) => ({ file: { repository: { url: text, directory: text } } }),
  keywords: (text) => ({ file: { keywords: [text] } }),
  "name of the service": (text) => ({ definition: { name: text } }),
  "description of the service": (text) => ({ definition: { description: text } }),
  version: (text) => ({ definition: { version: text } }),
  contact: (text) => ({ definition: { contact: { name: text, email: text } } }),
  tool: (text) => ({ definition: { tools: [{ name: text, description: text }] } }),
  "default of a variable": (text) => ({ settings: settings.map((one) => ({ ...one, fallback: String(text) })) }),
  "comment of a variable": (text) => ({ settings: settings.map((one) => ({ ...one, description: String(text) })) }),
};

/** Milliseconds of processor time that one may take. */
const patience = 1000;

/** `tenon pack` for services whose package.json and definition hold texts that nobody expects there. */
export const attackWithPacks: Attack = async ({ folder }) => {
  const root = folder("packs");
  const breaches: string[] = [];
  const tally = { made: 0, refused: 0 };
  let longest = 0;
  const make = (put: ReturnType<Put>): void => {
    writeFileSync(join(root, "package.json"), JSON.stringify({ ...packageJson, ...put.file }));
    const own = { ...definition, ...put.definition };
    const facts = readPackageFacts(root);
    const path = mcpbFile(facts, own);
    if (dirname(path) !== root || relative(root, path).startsWith("-")) throw new Error(`it is written to ${path}`);
    const common = { definition: own, facts, settings: put.settings ?? settings };
    const bundle = makeManifest({
      ...common,
      entryPoint: "dist/service.mjs",
      node: "22.19.0",
      platform: undefined,
      icon: undefined,
    });
    const server = makeServerJson({
      ...common,
      knowsAllSettings: true,
      remotes: undefined,
      mcpb: undefined,
      startsAlone: true,
      before: undefined,
    });
    for (const one of [bundle, server]) {
      if ("problems" in one) tally.refused++;
      else tally.made++;
    }
    if ("manifest" in bundle) {
      const args = (bundle.manifest["server"] as { mcp_config: { args: readonly string[] } }).mcp_config.args;
      if (args.join(" ") !== "${__dirname}/dist/service.mjs --with-mcp-stdio")
        throw new Error(`it starts ${args.join(" ")}`);
      const judged = v0_3.McpbManifestSchema.safeParse(bundle.manifest);
      if (!judged.success) throw new Error(`its manifest is refused: ${judged.error.issues[0]?.path.join(".")}`);
    }
  };
  const texts: readonly unknown[] = [...naughtyStrings, ...forPacks, 7, null, true, [], {}];
  for (const [spot, put] of Object.entries(spots)) {
    // A definition comes from the compiler, which gives texts alone.
    const fitting = put("").file === undefined ? texts.filter((text) => typeof text === "string") : texts;
    for (const text of fitting) {
      const began = processorTime();
      try {
        make(put(text));
      } catch (error) {
        if (error instanceof CommandError) tally.refused++;
        else breaches.push(`${spot} ${JSON.stringify(text).slice(0, 80)}: ${(error as Error).message.slice(0, 200)}`);
      }
      const took = processorTime() - began;
      longest = Math.max(longest, took);
      if (took > patience) breaches.push(`${spot} ${JSON.stringify(text).slice(0, 40)}: took ${took.toFixed(0)} ms`);
    }
  }
  return {
    attack: "`tenon pack` with texts in package.json and definition that nobody expects there",
    inputs: `${texts.length} texts in ${Object.keys(spots).length} places`,
    result: `${tally.made} made, ${tally.refused} refused with a reason, ${breaches.length} wrong, ${longest.toFixed(0)} ms at most`,
    peers: [],
    breaches,
  };
};
