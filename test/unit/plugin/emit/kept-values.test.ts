import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emitKept } from "../../../../plugin/emit/kept-codecs.ts";
import { fullSchema } from "../../../../plugin/emit/schema/json-schema.ts";
import { runtimeNames } from "../../../../plugin/emit/text/runtime-names.ts";
import { importAlias } from "../../../../plugin/emit/text/scope.ts";
import type { ToolModel } from "../../../../plugin/model/tool.ts";
import type { TypeModel } from "../../../../plugin/model/type.ts";
import type { KeptCodec } from "../../../../runtime/contract/contract.ts";
import { readKept, writeKept } from "../../../../runtime/executor/run/kept-value.ts";
import * as internal from "../../../../runtime/internal.ts";
import { typeCases, type TypeCase } from "./arbitrary-type.ts";
import { wireOf } from "./arbitrary-wire.ts";

/** `npm run kept-values` looks at 100,000. */
const wanted = Number(process.env["KEPT_VALUES"] ?? 3000);
const seed = Number(process.env["KEPT_SEED"] ?? 20261124);
const golden = join(import.meta.dirname, "../../../golden");

/** The JSON types of all golden folders, of results and of requests. */
function goldenTypes(): TypeCase[] {
  return readdirSync(golden).flatMap((folder) => {
    const file = join(golden, folder, "model.json");
    if (!existsSync(file)) return [];
    const { tools } = JSON.parse(readFileSync(file, "utf8")) as { readonly tools: readonly ToolModel[] };
    return tools.flatMap(({ request, result, definitions }) =>
      [request?.type, result.kind === "json" ? result.type : undefined].flatMap((type) =>
        type === undefined ? [] : [{ type, definitions }],
      ),
    );
  });
}

const runtime: Readonly<Record<string, unknown>> = { ...internal };

/** The codec that a build adds to `job.step`. */
function codecOf({ type, definitions }: TypeCase): KeptCodec {
  const [codec] = codecsOf([type], definitions);
  if (codec === undefined) throw new Error("There is no codec.");
  return codec;
}

/** The codecs of the steps of one module. */
function codecsOf(types: readonly TypeModel[], definitions: TypeCase["definitions"] = {}): readonly KeptCodec[] {
  const calls = types.map((type, index) => ({ kind: "step" as const, name: `step${index}`, type, offset: index }));
  const { statement } = emitKept({ calls, end: 0, definitions });
  const [name] = /(?<=^function )[^(]+/.exec(statement.code) ?? [];
  const all = types.map((_, index) => `${name}(${index})`).join();
  const evaluate = new Function(...runtimeNames.map(importAlias), `"use strict";${statement.code};return [${all}]`);
  return evaluate(...runtimeNames.map((one) => runtime[one])) as readonly KeptCodec[];
}

const range = (type: TypeModel): TypeModel => ({
  kind: "object",
  fields: ["from", "to"].map((key) => ({ key, type })),
});

test("each codec of a module has the schema of its own type", () => {
  const types: TypeModel[] = [
    range({ kind: "date" }),
    range({ kind: "number", integer: "uint32" }),
    { kind: "string" },
  ];
  const schemas = codecsOf(types).map(({ schema }) => schema);
  expect(schemas).toEqual(types.map((type) => fullSchema(type, {}, "input")));
});

test("a message whose unique items are equal once they are read does not end its job", async () => {
  const id: TypeModel = { kind: "object", fields: [{ key: "id", type: { kind: "string" } }] };
  const codec = codecOf({ type: { kind: "array", items: id, uniqueItems: true }, definitions: {} });
  expect(await readKept(codec, `[{"id":"a","x":1},{"id":"a","x":2}]`)).toEqual({ value: [{ id: "a" }, { id: "a" }] });
});

test("a result that was kept before its type had a URN is read", async () => {
  const type: TypeModel = { kind: "object", fields: [{ key: "id", type: { kind: "string" } }], urn: "urn:x:y.1" };
  const codec = codecOf({ type, definitions: {} });
  expect(await readKept(codec, `{"id":"a"}`)).toEqual({ value: { id: "a" } });
  expect(await writeKept(codec, "step", { id: "a" })).toEqual({ value: `{"$schema":"urn:x:y.1","id":"a"}` });
});

async function reread(codec: KeptCodec, text: string | undefined): Promise<unknown> {
  const read = await readKept(codec, text);
  if ("reason" in read) throw new Error(read.reason);
  return read.value;
}

test(
  `random values of the types of golden folders, and of random types, are after a replay what they were in the first run (seed ${seed})`,
  { timeout: 3_600_000 },
  async () => {
    const types = [...goldenTypes(), ...fc.sample(typeCases, { numRuns: 100, seed })];
    const share = Math.ceil((wanted / types.length) * 1.1);
    let [kept, differences] = [0, 0];
    for (const [index, typeCase] of types.entries()) {
      const codec = codecOf(typeCase);
      for (const wire of fc.sample(wireOf(typeCase), { numRuns: share * 2, seed: seed + index }).slice(0, share * 2)) {
        if (codec.is?.(wire) === false) continue;
        const given = codec.decode === undefined ? wire : codec.decode(wire as never);
        const { value: text } = await writeKept(codec, "a", given);
        const first = await reread(codec, text);
        const later = await reread(codec, (await writeKept(codec, "a", first)).value);
        kept += 1;
        if (!isDeepStrictEqual(first, later)) differences += 1;
      }
    }
    expect(differences).toBe(0);
    expect(kept).toBeGreaterThan(wanted);
  },
);
