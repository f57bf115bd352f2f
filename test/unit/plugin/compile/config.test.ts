import { describe, expect, test } from "vitest";
import { readConfig } from "../../../../plugin/compile/config.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

describe("the options of a project", () => {
  test.each([
    ["package.json", '{ "name": "a", "tenon": { "entry": "src/main.ts" } }'],
    ["tenon.config.json", '{ "entry": "src/main.ts" }'],
    ["tenon.config.mts", 'export default { entry: "src/main.ts" as const };\n'],
    ["tenon.config.mjs", 'export default { entry: "src/main.ts" };\n'],
  ])("stand in %s", (name, text) => {
    expect(readConfig(temporaryFolder({ [name]: text }))).toEqual({ entry: "src/main.ts" });
  });

  test.each(["tenon.config.yaml", "tenon.config.cjs", ".tenonrc", "tenonrc.json"])("%s is not passed over", (name) => {
    const root = temporaryFolder({ [name]: "entry: src/main.ts\n" });
    expect(() => readConfig(root)).toThrow(`tenon: ${name} is not read. Name it tenon.config.ts, or one of `);
  });

  test("in two places are refused", () => {
    const root = temporaryFolder({
      "package.json": '{ "tenon": {} }',
      "tenon.config.json": "{}",
    });
    expect(() => readConfig(root)).toThrow("`tenon` in package.json and tenon.config.json. Keep one of them.");
  });

  test("with a mistake are a message without a stack", () => {
    const root = temporaryFolder({ "tenon.config.json": '{ "entri": "a" }' });
    const message = "tenon: tenon.config.json: there is no option `entri`. Did you mean `entry`?";
    expect(() => readConfig(root)).toThrow(expect.objectContaining({ message, stack: message }));
  });
});
