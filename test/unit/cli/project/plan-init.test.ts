import { describe, expect, test } from "vitest";
import { initFiles } from "../../../../cli/project/init-files.ts";
import { planInit } from "../../../../cli/project/plan-init.ts";

const files = initFiles("my-service", "1.2.3");
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
