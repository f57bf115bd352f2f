import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generatedSkill, type GeneratedSkill } from "../../../../cli/project/generated-skill.ts";

const name = "src/skills/prime-numbers";

/** The generated skill of a project in a new folder, in which one path is a symbolic link to elsewhere. */
function skillWith(linked: string | undefined, asked = true): GeneratedSkill | undefined {
  const root = mkdtempSync(join(tmpdir(), "tenon-skill-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "elsewhere"));
  if (linked !== undefined) {
    mkdirSync(dirname(join(root, linked)), { recursive: true });
    symlinkSync(join(root, "elsewhere"), join(root, linked));
  }
  const definition = { name: "Prime numbers", description: "Tests numbers.", tools: [] };
  const project = { entry: join(root, "src/service.ts") };
  return generatedSkill({ definition, tools: [], project } as never, asked);
}

test("the generated skill is a file beside the entry", () => {
  expect(skillWith(undefined)?.file).toMatch(/src\/skills\/prime-numbers\/SKILL\.md$/);
});

test.each(["src/skills", name])("no skill is written through the link %s", (linked) => {
  expect(() => skillWith(linked)).toThrow(`${linked} is a symbolic link`);
  expect(skillWith(linked, false)).toBeUndefined();
});
