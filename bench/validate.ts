/**
 * Validation of one request: what tenon generates, typia, ajv and zod. A good value is accepted; of a bad one tenon and
 * the others list what is wrong. `node bench/validate.ts [--quick] [--json FILE]`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { openProject } from "../plugin/read/open-project.ts";
import { reportProblems } from "../runtime/contract/validation/report/report.ts";
import { typiaValidators } from "../test/fuzz/typia-referee.ts";
import { goldenTool } from "../test/support/golden-tools.ts";
import { atMost } from "./lib/figure.ts";
import { type Contender, interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";

const { quick, progress, finish } = benchScript();
const calls = quick ? 50_000 : 100_000;

const types = `export interface Place {
  /** @minimum -90 @maximum 90 */
  latitude: number;
  /** @minimum -180 @maximum 180 */
  longitude: number;
  /** @minLength 1 @maxLength 200 */
  label?: string;
}
/** @schema urn:bench:schema.search.request.1 */
export interface SearchRequest {
  center: Place;
  /** @minimum 1 @maximum 100000 */
  radius: number;
  /** @minLength 1 @maxLength 100 */
  query: string;
  /** @minItems 1 */
  kinds: ("road" | "river" | "house" | "tree")[];
  weights?: Record<string, number>;
  order: { by: "distance"; descending: boolean } | { by: "label"; locale: string };
}
`;
const place = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  label: z.string().min(1).max(200).optional(),
});
const zodSchema = z.object({
  center: place,
  radius: z.number().min(1).max(100_000),
  query: z.string().min(1).max(100),
  kinds: z.array(z.enum(["road", "river", "house", "tree"])).min(1),
  weights: z.record(z.string(), z.number()).optional(),
  order: z.discriminatedUnion("by", [
    z.object({ by: z.literal("distance"), descending: z.boolean() }),
    z.object({ by: z.literal("label"), locale: z.string() }),
  ]),
});

const folder = join(import.meta.dirname, ".cache/validate");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{ "name": "bench-validate", "type": "module" }\n');
const file = join(folder, "search.ts");
writeFileSync(
  file,
  `${types}\n/**\n * Looks around.\n * @tool\n */\nexport function search(request: SearchRequest): number {\n  return request.radius;\n}\n`,
);
const project = openProject({ root: folder, roots: [file], rules: { "missing-field-text": "off" } });
const { module, diagnostics } = project.read(file);
const [model] = module.tools;
if (model === undefined) throw new Error(JSON.stringify(diagnostics));
const { definition, functions } = goldenTool({ ...model, binding: "author" }).tool;
const { isRequest } = functions;
const schema = definition.request?.schema;
const typia = typiaValidators([{ path: join(folder, "typia.ts"), text: types, types: ["SearchRequest"] }]).get(
  "typia.SearchRequest",
);
if (isRequest === undefined || schema === undefined || typia === undefined) throw new Error("There is no validator.");
const ajv = new Ajv2020({ strict: false }).compile(schema);
const ajvAll = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

const good = {
  center: { latitude: 47.4, longitude: 8.5, label: "Zürich" },
  radius: 500,
  query: "café",
  kinds: ["road", "house"],
  weights: { road: 1, house: 2.5 },
  order: { by: "label", locale: "de" },
};
const bad = { ...good, center: { latitude: 91, longitude: "8.5" }, kinds: [], order: { by: "size" } };

/** Microseconds per call, averaged over many. */
function timed(name: string, call: () => boolean, expected: boolean): Contender<"time"> {
  return {
    name,
    sample() {
      let agreed = 0;
      const started = performance.now();
      for (let index = 0; index < calls; index++) if (call() === expected) agreed++;
      const time = ((performance.now() - started) * 1000) / calls;
      if (agreed !== calls) throw new Error(`${name} judges otherwise.`);
      return { time };
    },
  };
}

const rounds = quick ? { rounds: 3, warmups: 1 } : { rounds: 15, warmups: 2 };
progress("validate: a good request");
const accepted = await interleave(
  [
    timed("tenon", () => isRequest(good), true),
    timed("typia", () => typia(good), true),
    timed("ajv", () => ajv(good), true),
    timed("zod", () => zodSchema.safeParse(good).success, true),
  ],
  rounds,
);
progress("validate: a bad request");
const refused = await interleave(
  [
    timed("tenon", () => isRequest(bad) || reportProblems(schema, bad).length === 0, false),
    timed("ajv, all errors", () => ajvAll(bad), false),
    timed("zod", () => zodSchema.safeParse(bad).success, false),
  ],
  rounds,
);
project.dispose();
finish([
  {
    id: "validate-accept",
    name: "A good request is accepted",
    unit: "µs",
    better: "lower",
    rows: accepted.rows("time"),
    goals: [],
  },
  {
    id: "validate-refuse",
    name: "Four mistakes in a request are listed",
    unit: "µs",
    better: "lower",
    rows: refused.rows("time"),
    goals: [atMost(20, "tenon", refused.median("time", "tenon"), "µs")],
  },
]);
