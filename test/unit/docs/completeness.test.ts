import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { helpText } from "../../../runtime/service/config/help-text.ts";
import * as runtime from "../../../runtime/index.ts";

const guides = globSync("docs/*.md").filter(
  (file) => !["diagnostics", "transform", "benchmarks", "performance"].some((made) => file.endsWith(`${made}.md`)),
);
const text = guides.map((file) => readFileSync(file, "utf8")).join("\n");

/** Set by one of our processes for another. */
const internal = ["TENON_STDOUT_GUARD", "TENON_THREAD"];

test("every variable that a service reads is in docs/configuration.md", () => {
  const configuration = readFileSync("docs/configuration.md", "utf8");
  const names = globSync("runtime/**/*.ts").flatMap(
    (file) =>
      readFileSync(file, "utf8").match(/\b(?:TENON|PLATFORM|OTEL|OBSERVER|LLM|DOCKER|DEFAULT)_[A-Z_]*[A-Z]\b/g) ?? [],
  );
  expect(names.length).toBeGreaterThan(50);
  const told = new Set([...internal, ...(configuration.match(/[A-Z_]+/g) ?? [])]);
  expect(names.filter((name) => !told.has(name))).toEqual([]);
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
  ["runtime/service/config/server-options.ts", "ServerOptions"],
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
