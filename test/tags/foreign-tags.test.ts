import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isKnownTag, nearMiss } from "../../plugin/read/base/tag-names.ts";
import { tagsOfPackages } from "./foreign-packages.ts";
import { commentsOf, judgeComments } from "./judge-comments.ts";
import { tagsOfOtherTools } from "./tags-of-other-tools.ts";

/** `npm run foreign-tags` reads 40 packages, which it installs; these are installed already. */
const packages = ["hono", "openai", "typia", "vite"];

describe("comments of packages, as an author's", () => {
  test.each(packages)("%s: no tag is lost, and no finding is false", (name) => {
    const files = globSync(`node_modules/${name}/**/*.d.{ts,mts}`, {
      exclude: ["**/node_modules/*/**/node_modules/**"],
    });
    const comments = commentsOf(files.toSorted().map((file) => readFileSync(file, "utf8")));
    const { tags, lost, wrong } = judgeComments(comments, tagsOfOtherTools, tagsOfPackages);
    expect(tags).toBeGreaterThan(50);
    expect(lost).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test("tags of other tools are known, or told to be ours", () => {
    expect([...tagsOfOtherTools].filter((name) => !isKnownTag(name))).toEqual(["defaultvalue", "memberof!"]);
    expect(nearMiss("defaultvalue")).toBe("defaultValue");
  });
});
