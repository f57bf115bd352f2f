import fc from "fast-check";
import { decodeFailure, type Failure } from "./failure.ts";
import type { CompilerReferee, Judged } from "./compiler-referee.ts";
import { compilerDifferences, explainBy, typesOf, typiaDifferences, type Disagreement } from "./known-differences.ts";
import { spoil } from "./spoil.ts";
import type { Structure } from "./type-structures.ts";
import type { TypiaValidators } from "./typia-referee.ts";
import { reportProblems } from "../../runtime/contract/validation/report/report.ts";
import { loadTool } from "../unit/plugin/emit/load-tool.ts";
import { anyWire, mutated, wireOf } from "../unit/plugin/emit/arbitrary-wire.ts";
import { referee } from "../unit/plugin/emit/referee.ts";
import type { TypeModel } from "../../plugin/model/type.ts";

/** Findings of a run. */
export interface FuzzOutcome {
  readonly pairs: number;
  readonly accepted: number;
  readonly refused: number;
  /** Pairs that typia judged as well. */
  readonly typia: number;
  /** Pairs that TypeScript judged as well. */
  readonly compiler: number;
  /** Explained disagreements with typia and with TypeScript, by reason. */
  readonly explained: ReadonlyMap<string, number>;
  /** The first 50 that nothing explains, at most three of a structure. */
  readonly failures: readonly Failure[];
}

export interface FuzzOptions {
  readonly structures: readonly Structure[];
  readonly typia: TypiaValidators;
  readonly compiler: CompilerReferee;
  readonly seed: number;
  /** Pairs of a type and a value. */
  readonly pairs: number;
  /** Values for one structure before the next one has its turn; default 40. */
  readonly batch?: number;
  /** Ends the run early. */
  readonly until?: () => boolean;
}

interface Subject {
  readonly name: string;
  readonly judge: (given: Given) => Judgement;
  /** Why TypeScript may say otherwise of a value; undefined when there is no reason. */
  readonly explain: (found: Disagreement) => string | undefined;
  readonly values: (count: number, seed: number) => readonly Given[];
}

interface Judgement {
  readonly accepted: boolean;
  /**
   * The value as the function gets it; undefined where there is none, as for refused values of types that JSON has not.
   */
  readonly decoded: { readonly value: unknown } | undefined;
  readonly typia: boolean;
  readonly explained?: string;
  readonly failure?: Failure;
}

/** Values in one program of the compiler. */
const atOnce = 5000;

/** Generated, mutated and spoilt values for each structure in turn, each judged by all. */
export function fuzzTypes(options: FuzzOptions): FuzzOutcome {
  const { structures, typia, compiler, seed, pairs, batch = 40, until = () => false } = options;
  const subjects = structures.map((structure) => subjectOf(structure, typia));
  const byName = new Map(subjects.map((subject) => [subject.name, subject]));
  const open: Judged[] = [];
  const explained = new Map<string, number>();
  const failures: Failure[] = [];
  const counts = { pairs: 0, accepted: 0, refused: 0, typia: 0, compiler: 0 };
  const explain = (reason: string): void => void explained.set(reason, (explained.get(reason) ?? 0) + 1);
  const fail = (failure: Failure): void => {
    if (failures.filter(({ name }) => name === failure.name).length < 3) failures.push(failure);
  };
  const askCompiler = (): void => {
    for (const [index, verdict] of compiler.judge(open).entries()) {
      const one = open[index];
      if (one === undefined || verdict === undefined) continue;
      counts.compiler++;
      if (verdict === one.accepted) continue;
      const found = { name: one.name, value: one.value, ours: one.accepted, theirs: verdict };
      const reason = byName.get(one.name)?.explain(found);
      if (reason !== undefined) explain(reason);
      else fail({ ...one, what: `TypeScript says ${verdict}, the compiled validator ${one.accepted}` });
    }
    open.length = 0;
  };
  for (let turn = 0; counts.pairs < pairs && failures.length < 50 && !until(); turn++) {
    const subject = subjects[turn % subjects.length];
    for (const given of subject?.values(batch, seed + turn) ?? []) {
      const judgement = subject?.judge(given);
      if (judgement === undefined) continue;
      counts.pairs++;
      if (judgement.accepted) counts.accepted++;
      else counts.refused++;
      if (judgement.typia) counts.typia++;
      const { explained: reason, failure, accepted, decoded } = judgement;
      if (reason !== undefined) explain(reason);
      if (failure !== undefined) fail(failure);
      else if (subject !== undefined && decoded !== undefined)
        open.push({ name: subject.name, value: given.value, accepted, decoded: decoded.value });
    }
    if (open.length >= atOnce) askCompiler();
  }
  askCompiler();
  return { ...counts, explained, failures };
}

/** A value to judge; a spoilt one knows where it was spoilt. */
interface Given {
  readonly value: unknown;
  readonly path?: string;
}

function subjectOf({ name, model, whole }: Structure, typia: TypiaValidators): Subject {
  const tool = loadTool({ ...model, binding: "probe" });
  const schema = tool.definition.request?.schema;
  const type = whole ? model.request?.type : valueType(model.request?.type);
  const wireFor = (value: unknown): unknown => (whole ? value : { value });
  if (schema === undefined || type === undefined) throw new Error(`${name} has no request.`);
  const { definitions } = model;
  const ajv = referee(schema);
  const theirs = typia.get(name);
  const types = typesOf(model);
  const converts = types.some(({ kind }) => ["date", "url", "bigint", "bytes", "set", "map"].includes(kind));
  const legal = wireOf({ type, definitions });
  const spoilt = fc
    .tuple(legal, fc.array(fc.nat(1000), { minLength: 20, maxLength: 20 }))
    .map(([value, choices]): Given => {
      let next = 0;
      const choose = (below: number): number => (choices[next++ % choices.length] ?? 0) % below;
      return (tool.isRequest(wireFor(value)) ? spoil(type, value, definitions, choose) : undefined) ?? { value };
    });
  const plain = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<Given> => arbitrary.map((value) => ({ value }));
  const arbitrary = fc.oneof(
    { weight: 4, arbitrary: plain(legal) },
    { weight: 4, arbitrary: plain(mutated(legal)) },
    { weight: 1, arbitrary: plain(mutated(mutated(legal))) },
    { weight: 1, arbitrary: plain(anyWire) },
    { weight: 2, arbitrary: spoilt },
  );

  const judge = ({ value, path }: Given): Judgement => {
    const wire = wireFor(value);
    const accepted = tool.isRequest(wire);
    const fail = (what: string): Judgement => ({
      accepted,
      decoded: undefined,
      typia: false,
      failure: { name, value, what },
    });
    if (ajv(wire) !== accepted) return fail(`ajv says ${!accepted}, the compiled validator ${accepted}`);
    const problems = reportProblems(schema, wire);
    if ((problems.length === 0) !== accepted)
      return fail(`the report has ${problems.length} problems, compiled ${accepted}`);
    if (path !== undefined) {
      if (accepted) return fail(`accepted although it was spoilt at ${path}`);
      const places = problems.map((problem) => problem.path);
      if (!places.includes(`${whole ? "" : "/value"}${path}`))
        return fail(`spoilt at ${path}, reported at ${places.join(", ")}`);
    }
    if (accepted) {
      const failure = whole
        ? undefined
        : decodeFailure(tool, { value }, reportProblems(schema, wire, { strict: true }).length === 0);
      if (failure !== undefined) return fail(failure);
    }
    if (converts && !accepted) return { accepted, decoded: undefined, typia: false };
    const request = converts ? tool.decodeRequest(wire) : wire;
    const judged = whole ? request : (request as { readonly value: unknown }).value;
    const decoded = { value: judged };
    if (theirs === undefined) return { accepted, decoded, typia: false };
    const verdict = theirs(judged);
    if (verdict === accepted) return { accepted, decoded, typia: true };
    const reason = explainBy(typiaDifferences, types, definitions, { name, value, ours: accepted, theirs: verdict });
    if (reason !== undefined) return { accepted, decoded, typia: true, explained: reason };
    return fail(`typia says ${verdict}, the compiled validator ${accepted}`);
  };

  const explain = (found: Disagreement): string | undefined =>
    explainBy(compilerDifferences, types, definitions, found);
  return { name, judge, explain, values: (count, seed) => fc.sample(arbitrary, { numRuns: count, seed }) };
}

function valueType(request: TypeModel | undefined): TypeModel | undefined {
  return request?.kind === "object" ? request.fields.find(({ key }) => key === "value")?.type : undefined;
}
