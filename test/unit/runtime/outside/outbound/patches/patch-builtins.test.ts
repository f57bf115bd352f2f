import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const source = new URL("../../../../../../runtime/outside/outbound/patches/patch-builtins.ts", import.meta.url);

/** Runs statements in a process of their own, because this one has loaded the builtins; gives what they `tell`. */
function tell(statements: string): unknown {
  const script = `
    import { createRequire } from "node:module";
    import { patchBuiltins } from ${JSON.stringify(source.href)};
    const load = createRequire(${JSON.stringify(import.meta.url)});
    const isPatched = ({ request }) => request[Symbol.for("tenon.outbound.patched")] === true;
    const isLoaded = (name) => process.moduleLoadList.includes("NativeModule " + name);
    const tell = (value) => console.log(JSON.stringify(value));
    ${statements}`;
  const words = ["--input-type=module", "--no-warnings", "-e", script];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }));
}

const inBundle = 'globalThis[Symbol.for("tenon.outbound.builtins")] = true; patchBuiltins(); patchBuiltins();';

test("in a bundle nothing is loaded, and both are patched for whoever loads them, by name or by require", () => {
  const seen = tell(`${inBundle}
    const before = [isLoaded("http"), isLoaded("https")];
    const { request } = await import("node:https");
    tell([before, isPatched({ request }), isPatched(load("http"))]);`);
  expect(seen).toEqual([[false, false], true, true]);
});

test("in a bundle getBuiltinModule gives patched ones", () => {
  const seen = tell(`${inBundle}
    tell([isPatched(process.getBuiltinModule("http")), isPatched(process.getBuiltinModule("node:https"))]);`);
  expect(seen).toEqual([true, true]);
});

test("what is loaded already is patched at once, outside of a bundle all is", () => {
  const loaded = tell(`const { request } = load("node:http"); ${inBundle}
    tell([isPatched({ request }), isPatched(load("node:http")), isLoaded("https")]);`);
  expect(loaded).toEqual([false, true, false]);
  expect(tell('patchBuiltins(); tell([isLoaded("http"), isLoaded("https")]);')).toEqual([true, true]);
});
