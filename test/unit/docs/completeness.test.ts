import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { helpText } from "../../../runtime/service/config/help-text.ts";
import * as runtime from "../../../runtime/index.ts";

const guides = globSync("docs/*.md").filter(
  (file) => !["diagnostics", "transform", "benchmarks", "performance"].some((made) => file.endsWith(`${made}.md`)),
);
const text = guides.map((file) => readFileSync(file, "utf8")).join("\n");

const variable = /\b(?:TENON|PLATFORM|OTEL|OBSERVER|LLM|DOCKER|DEFAULT)_[A-Z_]*[A-Z]\b/g;

/** Set by one of our processes for another. */
const internal = ["TENON_STDOUT_GUARD", "TENON_THREAD"];

test("the variables in docs/configuration.md are those that services and commands read", () => {
  const configuration = readFileSync("docs/configuration.md", "utf8");
  const code = globSync("{runtime,plugin,cli}/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const read = new Set(code.flatMap((source) => source.match(variable) ?? []));
  expect(read.size).toBeGreaterThan(50);
  const told = new Set([...internal, ...(configuration.match(/[A-Z_]+/g) ?? [])]);
  expect([...read].filter((name) => !told.has(name))).toEqual([]);
  const ours = (configuration.match(variable) ?? []).filter((name) => /^(?:TENON|PLATFORM)_/.test(name));
  expect(ours.length).toBeGreaterThan(25);
  expect(ours.filter((name) => !read.has(name))).toEqual([]);
});

test.each([
  ["rest.md", "`Prefer: respond-async`"],
  ["rest.md", "`Retry-Later`"],
  ["rest.md", "`Platform-Self-Report-Result"],
  ["rest.md", "`Platform-Tool-Version`"],
  ["rest.md", "`cancelled`: the job was | 409"],
  ["rest.md", "`interrupted` (the process died under the job) | 500"],
  ["rest.md", "`fn_schema`"],
  ["rest.md", '"SeqID"'],
  ["rest.md", "`pending`, `executing`"],
  ["definition.md", "`controller-schema`"],
  ["definition.md", '"ephemeral-storage"'],
  ["definition.md", "| `ENTRYPOINT` | Gives |"],
  ["sidecar.md", "next_job?wait=20"],
  ["sidecar.md", "service.event.step.start.1"],
  ["sidecar.md", "static override readonly SCHEMA"],
  ["command-line.md", '"in-content-type": "application/json"'],
  ["command-line.md", '"tenon": { "entry": "src/main.ts" }'],
])("%s tells of %s, and the index leads there", (page, words) => {
  expect(readFileSync(`docs/${page}`, "utf8")).toContain(words);
  const [, index = ""] = readFileSync("docs/index.md", "utf8").split("## Where is …");
  expect(index).toContain(`](${page}`);
});

test.each(["lambda", "batch"] as const)("every flag of a %s service is in docs/command-line.md", (flavour) => {
  const page = readFileSync("docs/command-line.md", "utf8");
  const flags = helpText("", flavour).match(/--[a-z-]+/g) ?? [];
  expect(flags).toContain("--test-file");
  expect(flags.filter((flag) => !page.includes(flag))).toEqual([]);
});

test("every function and class that authors import is in a guide", () => {
  const names = Object.keys(runtime);
  expect(names).toContain("startLambdaServer");
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test.each([
  ["runtime/service/tools/tool-options.ts", "ToolOptions"],
  ["runtime/service/tools/tool-options.ts", "ExecutorOpts"],
  ["runtime/service/config/config.ts", "ServerOptions"],
  ["runtime/service/service.ts", "ServiceOptions"],
  ["runtime/start/start-batch-service.ts", "BatchServiceOptions"],
  ["plugin/compile/options.ts", "TenonOptions"],
])("every option of %s, %s, is in docs/configuration.md", (file, type) => {
  const page = readFileSync("docs/configuration.md", "utf8");
  const [, body = ""] = new RegExp(`interface ${type} \\{\n(.*?)\n\\}`, "s").exec(readFileSync(file, "utf8")) ?? [];
  const options = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = ""]) => name);
  expect(options).not.toEqual([]);
  expect(options.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test("every guide is found from docs/index.md, and every link between guides leads somewhere", () => {
  const pages = globSync("docs/*.md").map((file) => file.slice("docs/".length));
  const slug = (title: string): string =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  const anchors = new Map(
    pages.map((page) => {
      const headings = readFileSync(`docs/${page}`, "utf8").matchAll(/^#+ (.*)$/gm);
      return [page, new Set([...headings].map(([, title = ""]) => slug(title)))] as const;
    }),
  );
  const links = pages.flatMap((page) =>
    [...readFileSync(`docs/${page}`, "utf8").matchAll(/\]\(([\w-]+\.md)?(?:#([^)]+))?\)/g)].flatMap(
      ([, to = page, anchor]) => (to === page && anchor === undefined ? [] : [{ page, to, anchor }]),
    ),
  );
  const indexed = new Set(links.filter(({ page }) => page === "index.md").map(({ to }) => to));
  expect(pages.filter((page) => page !== "index.md" && !indexed.has(page))).toEqual([]);
  const broken = links.filter(
    ({ to, anchor }) => !anchors.has(to) || (anchor !== undefined && anchors.get(to)?.has(anchor) !== true),
  );
  expect(broken).toEqual([]);
});
