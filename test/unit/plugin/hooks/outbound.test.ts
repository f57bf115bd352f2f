import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import {
  builtinModuleId,
  builtinModuleText,
  builtinSpecifier,
  resolveBuiltin,
} from "../../../../plugin/hooks/builtin-modules.ts";
import { fetchStubBanner } from "../../../../plugin/hooks/banner.ts";
import { undiciTransform } from "../../../../plugin/hooks/transform-undici.ts";

const { filter, transform } = undiciTransform;

describe("undiciTransform", () => {
  test.each([
    "/p/node_modules/undici/index.js",
    "/p/node_modules/undici-7/index.js",
    "/p/node_modules/.pnpm/undici@8.0.0/node_modules/undici/lib/dispatcher/dispatcher-base.js",
    "C:\\p\\node_modules\\undici\\lib\\dispatcher\\proxy-agent.js",
    "/p/node_modules/my-http/lib/dispatcher/dispatcher-base.js",
  ])("looks at %s", (id) => expect(filter.test(id)).toBe(true));

  test.each([
    "/p/src/index.js",
    "/p/node_modules/undici/lib/dispatcher/pool.js",
    "/p/node_modules/undici-types/index.d.ts",
  ])("does not look at %s", (id) => expect(filter.test(id)).toBe(false));

  test("appends, so that no line moves", () => {
    const code = "class DispatcherBase {}\nmodule.exports = DispatcherBase\n";
    const changed = transform(code, "/undici/lib/dispatcher/dispatcher-base.js");
    expect(changed?.startsWith(code)).toBe(true);
    expect(changed).toContain('Symbol.for("tenon.outbound")');
  });

  test("leaves files alone that only have the name", () => {
    expect(transform("export class DispatcherBase {}", "/x/lib/dispatcher/dispatcher-base.js")).toBeUndefined();
    expect(transform("module.exports = {}", "/undici-helper/index.js")).toBeUndefined();
  });
});

describe("builtin modules", () => {
  test.each(["http", "node:http", "https", "node:https"])("%s leads to a module that can be run", (specifier) => {
    expect(builtinSpecifier.test(specifier)).toBe(true);
    const id = resolveBuiltin(specifier) ?? "";
    expect(builtinModuleId.test(id)).toBe(true);
    const module: { exports: { request?: unknown } } = { exports: {} };
    new Function("module", "process", builtinModuleText(id) ?? "")(module, {
      getBuiltinModule: (name: string) => ({ ...(createRequire(import.meta.url)(name) as object), name }),
    });
    expect(module.exports).toMatchObject({ name: specifier.startsWith("node:") ? specifier : `node:${specifier}` });
    expect((module.exports.request as { [name: symbol]: unknown })[Symbol.for("tenon.outbound.patched")]).toBe(true);
  });

  test.each(["http2", "node:http2", "./http", "https-proxy-agent", "node:net"])("%s does not", (specifier) => {
    expect(resolveBuiltin(specifier)).toBeUndefined();
    expect(builtinModuleText(specifier)).toBeUndefined();
  });
});

describe("fetchStubBanner", () => {
  test("stands by itself, loads nothing and acts once", async () => {
    const asked: unknown[] = [];
    const original = (input: unknown): Promise<unknown> => Promise.resolve(`plain ${String(input)}`);
    const scope: { fetch: typeof original; [name: symbol]: unknown } = { fetch: original };
    const run = new Function("globalThis", fetchStubBanner({ builtins: true }));
    run(scope);
    const { fetch } = scope;
    run(scope);
    expect(scope.fetch).toBe(fetch);
    expect([fetch.name, fetch.length]).toEqual(["fetch", 1]);
    expect(scope[Symbol.for("tenon.outbound.builtins")]).toBe(true);
    expect(await fetch("x")).toBe("plain x");
    scope[Symbol.for("tenon.outbound")] = {
      fetch: (it: unknown, input: unknown) => {
        asked.push(it, input);
        return Promise.resolve("hooked");
      },
    };
    expect(await fetch("y")).toBe("hooked");
    expect(asked).toEqual([original, "y"]);
  });

  test("without builtin modules it does not claim them", () => {
    expect(fetchStubBanner({ builtins: false })).not.toContain("tenon.outbound.builtins");
  });
});
