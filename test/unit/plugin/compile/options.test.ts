import { expect, test } from "vitest";
import { readOptions } from "../../../../plugin/compile/options.ts";

test("takes every option, and none", () => {
  const all = {
    tsconfig: "tsconfig.build.json",
    service: false,
    rules: { "missing-schema": "off" },
    namespace: "acme",
    cache: false,
    budget: { tool: 400, service: 4000 },
    verbose: true,
  } as const;
  expect(readOptions(all)).toEqual(all);
  expect(readOptions(undefined)).toEqual({});
  expect(readOptions({ tsconfig: undefined })).toEqual({});
});

test.each([
  [{ tsconfg: "x" }, "tenon: there is no option `tsconfg`. Did you mean `tsconfig`?"],
  [{ Rules: {} }, "tenon: there is no option `Rules`. Did you mean `rules`?"],
  [
    { everything: true },
    "tenon: there is no option `everything`. There are: tsconfig, service, rules, namespace, cache, budget, verbose.",
  ],
  [
    { __proto__: null, toString: 1 },
    "tenon: there is no option `toString`. There are: tsconfig, service, rules, namespace, cache, budget, verbose.",
  ],
  [{ service: true }, "tenon: the option `service` must be a path or false, not true."],
  [{ cache: "no" }, 'tenon: the option `cache` must be true or false, not "no".'],
  [
    { budget: { tools: 400 } },
    'tenon: the option `budget` must be an object with numbers of tokens, `tool` for each tool and `service` for all, not {"tools":400}.',
  ],
  [
    { budget: { tool: 0 } },
    'tenon: the option `budget` must be an object with numbers of tokens, `tool` for each tool and `service` for all, not {"tool":0}.',
  ],
  [{ namespace: "" }, 'tenon: the option `namespace` must be a text that is not empty, not "".'],
  [{ tsconfig: () => "x" }, "tenon: the option `tsconfig` must be a text that is not empty, not a function."],
  [
    { rules: { "missing-schema": "warning" } },
    'tenon: the option `rules` must be an object that gives rules the level "error", "warn" or "off", not {"missing-schema":"warning"}.',
  ],
  [{ rules: { "mising-schema": "warn" } }, "tenon: there is no rule `mising-schema`. Did you mean `missing-schema`?"],
  [[], "tenon: the options must be an object, not []."],
])("refuses %j", (given, message) => {
  expect(() => readOptions(given)).toThrow(expect.objectContaining({ name: "OptionsError", message }));
});
