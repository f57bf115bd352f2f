import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonLiteral } from "../../../../plugin/model/type.ts";
import { accepts } from "../../../../plugin/read/constraints/accepts.ts";
import { reportProblems } from "../../../../runtime/contract/validation/report/report.ts";
import { typeCases } from "./arbitrary-type.ts";
import { anyWire, mutated, wireOf } from "./arbitrary-wire.ts";
import { loadTool, toolModel } from "./load-tool.ts";
import { referee } from "./referee.ts";

/**
 * `AGREEMENT_RUNS=20000 AGREEMENT_SEED=1 npx vitest run test/unit/plugin/emit/agreement.test.ts` looks longer, or
 * again.
 */
const runs = Number(process.env["AGREEMENT_RUNS"] ?? 60);
const seed = Number(process.env["AGREEMENT_SEED"] ?? 20261120);
const parameters = { numRuns: runs, seed };

const cases = typeCases.chain((typeCase) =>
  fc.record({
    typeCase: fc.constant(typeCase),
    values: fc.array(fc.oneof(wireOf(typeCase), mutated(wireOf(typeCase)), mutated(wireOf(typeCase)), anyWire), {
      minLength: 6,
      maxLength: 12,
    }),
  }),
);

describe(`random types and values (seed ${seed})`, () => {
  test("the compiled validator, the schema, the report and the check of defaults agree", { timeout: 700_000 }, () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(cases, fc.boolean(), ({ typeCase, values }, asResult) => {
        const { type, definitions } = typeCase;
        const all = new Map(Object.entries(definitions));
        const model = asResult
          ? toolModel({ result: { kind: "json", type }, definitions })
          : toolModel({ request: { type }, definitions });
        const tool = loadTool(model);
        const schema = asResult ? tool.definition.result.schema : tool.definition.request?.schema;
        if (schema === undefined) throw new Error("no schema");
        const judge = referee(schema);
        for (const value of values) {
          const compiled = asResult ? tool.isResult(value) : tool.isRequest(value);
          const problems = reportProblems(schema, value);
          const context = JSON.stringify({ schema, value });
          expect({ compiled, context }).toEqual({ compiled: judge(value), context });
          expect({ reported: problems.length === 0, context, problems }).toEqual({
            reported: compiled,
            context,
            problems,
          });
          // Defaults and examples are values of requests.
          const legal = asResult ? compiled : accepts(type, value as JsonLiteral, all);
          expect({ legal, context }).toEqual({ legal: compiled, context });
          if (compiled) accepted++;
          else refused++;
        }
      }),
      parameters,
    );
    // A generator that only makes wrong values would prove nothing.
    expect(accepted).toBeGreaterThan(refused / 20);
    expect(refused).toBeGreaterThan(accepted / 20);
  });

  test(
    "what the portable input schema accepts, the full one does; portable results are equivalent",
    { timeout: 700_000 },
    () => {
      fc.assert(
        fc.property(cases, ({ typeCase: { type, definitions }, values }) => {
          const root = { kind: "object", fields: [{ key: "value", type }], urn: "urn:test:root.1" } as const;
          const { definition, isRequest } = loadTool(toolModel({ request: { type: root }, definitions }));
          const judgeInput = referee(definition.mcp.inputSchema);
          expect(definition.mcp.inputSchema["type"]).toBe("object");
          for (const value of values.flatMap((inner) => [
            { value: inner },
            { value: inner, $schema: "urn:other" },
            inner,
          ])) {
            expect({ value, legal: !judgeInput(value) || isRequest(value) }).toEqual({ value, legal: true });
          }
          const {
            definition: { mcp },
            isResult,
          } = loadTool(toolModel({ result: { kind: "json", type }, definitions }));
          if (mcp.outputSchema === undefined) throw new Error("no output schema");
          const judgeOutput = referee(mcp.outputSchema);
          for (const value of values) {
            const wrapped = mcp.wrapped === true ? { result: value } : value;
            expect({ value, portable: judgeOutput(wrapped) }).toEqual({ value, portable: isResult(value) });
          }
        }),
        { ...parameters, numRuns: Math.ceil(runs / 3) },
      );
    },
  );
});
