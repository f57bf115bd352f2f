/**
 * Writes the generated pages `docs/diagnostics.md`, `docs/transform.md`, `docs/commands.md` and `docs/install.md` from
 * tables and test folders. `npm run docs`; a test checks that the committed pages are up to date.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ownTags, toolModifiers } from "../plugin/read/base/tag-names.ts";
import { commandsPage } from "./docs/commands-page.ts";
import { codes, type CodeEntry } from "../plugin/diagnostics/codes.ts";
import { installPage } from "./docs/install-page.ts";
import { wrapProse } from "./docs/wrap-prose.ts";

const stages: readonly (readonly [prefix: string, title: string])[] = [
  ["TN1", "Reading"],
  ["TN2", "Rules for tool authors"],
  ["TN3", "Types and the tags that narrow them"],
  ["TN4", "Configuration"],
  ["TN5", "Portability to agents' hosts"],
  ["TN6", "Texts that models read"],
];

/** Golden cases in `docs/transform.md`, in order. */
const shown: readonly string[] = ["request-model", "positional", "codecs", "unions"];

/** The pages by path. */
export function makePages(): Readonly<Record<string, string>> {
  return {
    "docs/diagnostics.md": wrapProse(diagnosticsPage()),
    "docs/transform.md": wrapProse(transformPage()),
    "docs/commands.md": wrapProse(commandsPage()),
    "docs/install.md": wrapProse(installPage()),
    "tsdoc.json": `${JSON.stringify(tsdocConfig(), null, 2)}\n`,
  };
}

/** Tags that TSDoc defines itself; a second definition is an error. */
const standardTags = new Set(["readonly", "example", "deprecated", "defaultValue"]);

/** Tenon's tags for tools that check comments, such as eslint-plugin-tsdoc. */
function tsdocConfig(): object {
  const own = [...ownTags, "prompt", "resource"].filter((name) => !standardTags.has(name));
  return {
    $schema: "https://developer.microsoft.com/json-schemas/tsdoc/v0/tsdoc.schema.json",
    tagDefinitions: [...new Set(own)].toSorted().map((name) => ({
      tagName: `@${name}`,
      syntaxKind: toolModifiers.has(name) ? "modifier" : "block",
      ...(!toolModifiers.has(name) && { allowMultiple: true }),
    })),
  };
}

function diagnosticsPage(): string {
  const sections = stages.flatMap(([prefix, title]) => {
    const entries = Object.entries<CodeEntry>(codes).filter(([code]) => code.startsWith(prefix));
    return entries.length === 0
      ? []
      : [`# ${prefix}xx: ${title}`, ...entries.map(([code, entry]) => diagnosticSection(code, entry))];
  });
  const intro = `<!-- Made by \`npm run docs\` from plugin/diagnostics/*-codes.ts and test/diagnostics. Do not edit. -->

All findings of tenon about your code, by code. Errors stop a build, warnings and hints do not. For a finding with a rule name, change the level with the plugin's option
\`rules: { "<rule>": "error" | "warn" | "off" }\`.`;
  return `${[intro, ...sections].join("\n\n")}\n`;
}

function diagnosticSection(code: string, entry: CodeEntry): string {
  const rule = entry.rule === undefined ? "" : `, rule \`${entry.rule}\``;
  const reports = globSync(`test/diagnostics/${code}-*/expected.txt`).toSorted();
  const example = reports.flatMap((report) => findingsOf(code, readFileSync(report, "utf8")))[0];
  if (example === undefined && reports.length > 0)
    throw new Error(`No report of test/diagnostics/${code}-* has ${code}.`);
  const frame = example === undefined ? "" : `\n\n\`\`\`text\n${example}\n\`\`\``;
  return `## ${code}\n\n**${entry.title}** (${entry.level}${rule}). ${entry.explain}${frame}`;
}

/** The findings with a code in a report, whose findings are separated by blank lines. */
function findingsOf(code: string, report: string): readonly string[] {
  return report
    .split("\n\n")
    .filter((finding) => finding.startsWith(`${code}  `) || finding.split("\n", 1)[0]?.includes(`  ${code}  `));
}

function transformPage(): string {
  const intro = `<!-- Made by \`npm run docs\` from test/golden. Do not edit. -->

# What the plugin adds

Your code stays as it is. The plugin adds one import and one call per tool, on existing lines, so that line numbers stay true. Below, the added code is
shown separately and formatted. \`tenon inspect <tool> --stage module\` shows the same for your own tools.`;
  const cases = shown.map((name) => join("test/golden", name)).filter((folder) => existsSync(folder));
  const sections = cases.map((folder) => {
    const files = [`## ${basename(folder).replaceAll("-", " ")}`, "You write", fenced(join(folder, "tool.ts"), "ts")];
    if (existsSync(join(folder, "module.js"))) files.push("tenon adds", fenced(join(folder, "module.js"), "js"));
    return files.join("\n\n");
  });
  return `${[intro, ...sections].join("\n\n")}\n`;
}

function fenced(file: string, language: string): string {
  return `\`\`\`${language}\n${readFileSync(file, "utf8").trim()}\n\`\`\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.chdir(join(dirname(process.argv[1] ?? ""), ".."));
  for (const [file, text] of Object.entries(makePages())) writeFileSync(file, text);
}
