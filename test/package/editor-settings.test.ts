import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { TSDocConfigFile } from "@microsoft/tsdoc-config";
import { TSDocConfiguration, TSDocParser } from "@microsoft/tsdoc";
import tsParser from "@typescript-eslint/parser";
import { ESLint, type Linter } from "eslint";
import jsdocPlugin from "eslint-plugin-jsdoc";
import { describe, expect, test } from "vitest";
import { initFiles } from "../../cli/project/init-files.ts";
import { openProject } from "../support/open-project.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const tool = `import type { JobContext } from "tenon";

/** An address. @format email @maxLength 30 */
type Email = string;

/**
 * A request.
 * @schema urn:acme:schema.send.1
 */
export interface Request {
  /** The addressee. */
  to: Email;
  /** Copies. @type uint32 @minimum 1 @maximum 5 @default 1 */
  copies?: number;
  /** Words. @uniqueItems @minItems 1 @pattern ^[a-z]{1,9}$ */
  words: string[];
}

/**
 * Sends it, as {@link Email} says.
 *
 * @readonly
 * @idempotent
 * @timeout 30s
 * @scope mail.send
 * @title Send mail
 * @param request - What to send. Use \`@here\` for all.
 * @returns The number of copies.
 * @example
 * { "to": "a@example.com", "words": ["a"] }
 * @tool
 */
export function send(request: Request, job: JobContext): number {
  job.report("sent");
  return request.copies ?? 1;
}
`;

/** A user's project: files that `tenon init` and docs/bundlers.md have, with this package installed. */
function userProject(): string {
  const guide = readFileSync("docs/bundlers.md", "utf8");
  const [, setting = ""] = /## ESLint\n[^]*?```js\n([^]*?)```/.exec(guide) ?? [];
  const folder = temporaryFolder({
    "node_modules/.keep": "",
    ...initFiles({ name: "mail", version: "0.1.0" }),
    "setting.mjs": setting,
  });
  symlinkSync(resolve("."), join(folder, "node_modules/tenon"));
  return folder;
}

/** All that the plugin reads in the tool, positions aside. */
function meaning(text: string): unknown {
  const root = resolve("test/golden");
  const project = openProject({ root });
  try {
    const { module, diagnostics } = project.read(join(root, "send.ts"), text);
    const positions = new Set(["position", "at", "offset", "line", "column", "length"]);
    const withoutPositions = (key: string, value: unknown): unknown => (positions.has(key) ? undefined : value);
    return JSON.parse(JSON.stringify({ tools: module.tools, diagnostics }, withoutPositions));
  } finally {
    project.dispose();
  }
}

async function fixed(text: string, configs: Linter.Config[]): Promise<string> {
  const eslint = new ESLint({
    cwd: resolve("."),
    overrideConfigFile: true,
    fix: true,
    overrideConfig: [{ files: ["**/*.ts"], languageOptions: { parser: tsParser } }, ...configs],
  });
  const [result] = await eslint.lintText(text, { filePath: resolve("send.ts") });
  expect(result?.fatalErrorCount).toBe(0);
  return result?.output ?? text;
}

describe.each(["flat/recommended", "flat/recommended-typescript"] as const)(
  "`eslint --fix` with jsdoc's %s",
  (name) => {
    test("and the setting of the guide takes nothing from a tool", async () => {
      const { tenonTags } = (await import(pathToFileURL(join(userProject(), "setting.mjs")).href)) as {
        tenonTags: Linter.Config;
      };
      const before = meaning(tool);
      expect(before).toMatchObject({ tools: [{ name: "send" }], diagnostics: [] });
      expect(meaning(await fixed(tool, [jsdocPlugin.configs[name], tenonTags]))).toEqual(before);
    });
  },
);

test("the setting is needed: without it tags are lost", async () => {
  const configs = [jsdocPlugin.configs["flat/recommended-typescript"]];
  expect(meaning(await fixed(tool, configs))).not.toEqual(meaning(tool));
});

test("the tsdoc.json of `tenon init` is one that TSDoc reads, with all tags of a tool", () => {
  const config = TSDocConfigFile.loadForFolder(userProject());
  expect(config.getErrorSummary()).toBe("No errors.");
  const configuration = new TSDocConfiguration();
  expect(unknownTags(configuration)).toContain("@tool");
  config.configureParser(configuration);
  expect(unknownTags(configuration)).toEqual([]);
});

/** The tags in the comments of the tool that a parser does not know. */
function unknownTags(configuration: TSDocConfiguration): readonly string[] {
  const parser = new TSDocParser(configuration);
  const comments = tool.match(/\/\*\*[^]*?\*\//g) ?? [];
  const messages = comments.flatMap((comment) => parser.parseString(comment).log.messages);
  const unknown = messages.filter(({ messageId }) => /^tsdoc-un(?:defined|supported)-tag$/.test(messageId));
  return unknown.flatMap(({ text }) => /@\w+/.exec(text) ?? []);
}
