import { type ParseError, parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { initFiles } from "../../../../cli/project/init-files.ts";
import { planInit } from "../../../../cli/project/plan-init.ts";
import { vscodeFiles } from "../../../../cli/project/vscode-files.ts";

const files = initFiles({ name: "my-service", version: "1.2.3" });
const plan = (existing: Readonly<Record<string, string>>) => planInit(files, (path) => existing[path]);
const of = (existing: Readonly<Record<string, string>>, wanted: string) =>
  plan(existing).find(({ path }) => path === wanted);

test("an empty folder gets every file", () => {
  expect(plan({}).map(({ path, action, text }) => [path, action, text])).toEqual(
    Object.entries(files).map(([path, text]) => [path, "made", text]),
  );
});

describe("a project that exists", () => {
  const theirs = {
    name: "theirs",
    scripts: { dev: "next dev", build: "tenon build" },
    dependencies: { typescript: "^5.9.0" },
    devDependencies: { vitest: "^4.0.0" },
  };

  test("package.json keeps what it says, and gets what it lacks", () => {
    const file = of({ "package.json": JSON.stringify(theirs, null, 4) }, "package.json");
    expect(file?.action).toBe("extended");
    expect(file?.text).toContain('\n    "name"');
    const joined = JSON.parse(file?.text ?? "") as typeof theirs;
    expect(joined).toMatchObject(theirs);
    expect(joined.scripts).toMatchObject({ "tenon:dev": "tenon dev", test: "vitest run" });
    expect(joined.scripts).not.toHaveProperty("tenon:build");
    expect(joined.devDependencies).toEqual({ "@types/node": "^24.0.0", tenon: "^1.2.3", vitest: "^4.0.0" });
  });

  test("a package.json that has everything stays byte for byte", () => {
    const text = (files["package.json"] ?? "").replaceAll("  ", "\t");
    expect(of({ "package.json": text }, "package.json")).toEqual({
      path: "package.json",
      action: "kept",
      text: undefined,
    });
  });

  test("lists of ignored files get the lines that they lack", () => {
    expect(of({ ".gitignore": "dist/\ncoverage" }, ".gitignore")?.text).toBe(
      "dist/\ncoverage\nnode_modules/\n.tenon/\n",
    );
    expect(of({ ".gitignore": files[".gitignore"] ?? "" }, ".gitignore")?.action).toBe("kept");
  });

  test("any other file is kept", () => {
    for (const path of ["tsconfig.json", "README.md", "Dockerfile", ".mcp.json"])
      expect(of({ [path]: "theirs" }, path)).toEqual({ path, action: "kept", text: undefined });
  });

  test("the example is left out where there is a service", () => {
    const paths = plan({ "src/service.ts": "theirs" }).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith("src/"))).toEqual([]);
  });
});

describe("files of VS Code that exist", () => {
  const vscode = (path: keyof typeof vscodeFiles, before: string) =>
    planInit({ [path]: vscodeFiles[path] }, () => before)[0];

  test("get what their lists lack, and keep comments, line ends and indents", () => {
    const before =
      '{\r\n\t// Ours.\r\n\t"version": "2.0.0",\r\n\t"tasks": [\r\n\t\t{ "label": "lint" }, // first\r\n\t],\r\n}\r\n';
    const { action, text = "" } = vscode(".vscode/tasks.json", before) ?? {};
    expect(action).toBe("extended");
    expect(
      text.startsWith('{\r\n\t// Ours.\r\n\t"version": "2.0.0",\r\n\t"tasks": [\r\n\t\t{ "label": "lint" },\r\n'),
    ).toBe(true);
    const errors: ParseError[] = [];
    const { tasks } = parse(text, errors, { allowTrailingComma: true }) as { tasks: { label: string }[] };
    expect(errors).toEqual([]);
    expect(tasks.map(({ label }) => label)).toEqual(["lint", "tenon: check", "tenon: build"]);
    expect(text).toContain("// first");
    expect(text).not.toMatch(/[^\r]\n/);
    expect(vscode(".vscode/tasks.json", text)?.action).toBe("kept");
  });

  test.each(["{}", '{ "unwantedRecommendations": ["a.b"] }', '{ "recommendations": [] }', "", "{\n  // none\n}\n"])(
    "extensions.json %j recommends the extension once",
    (before) => {
      const { text = "" } = vscode(".vscode/extensions.json", before) ?? {};
      expect(parse(text)).toMatchObject({ recommendations: ["tenon.tenon"] });
      expect(vscode(".vscode/extensions.json", text)?.action).toBe("kept");
    },
  );

  test.each(["{ broken", "[]", '{ "tasks": {} }'])("%j is kept, which is told", (before) => {
    expect(vscode(".vscode/tasks.json", before)).toMatchObject({ action: "kept, since it cannot be read" });
  });
});
