import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { reportProblems } from "../../../runtime/contract/validation/report/report.ts";
import { openProject } from "../../support/open-project.ts";
import { processorTime } from "../../support/processor-time.ts";
import { loadTool, type LoadedTool } from "../../unit/plugin/emit/load-tool.ts";
import type { CodecKind } from "./codec-kind.ts";

/** Milliseconds of processor time for a megabyte of JSON; each is one step that nothing interrupts. */
export interface CodecCost {
  readonly name: string;
  /** To test a request and decode it. */
  readonly read: number;
  /** To encode a result and test it. */
  readonly write: number;
  /** To test a list that ends with illegal values, and to report these. */
  readonly refuse: number;
  /** To parse the text by `JSON.parse` and to write it by `JSON.stringify`, which no code of ours is part of. */
  readonly json: number;
}

/** Texts that are long for a format or a pattern, most of them nearly legal. */
const hostileTexts = [
  "a",
  "1",
  "a.",
  "1.",
  ":",
  "a:",
  "a-",
  "@",
  "a@",
  "%41",
  "/",
  "~0",
  "{a}",
  "ä",
  "xn--",
  "P1",
  "AAAA",
  "0T",
];

/** Compiles each kind as a tool that takes and gives a list of it. */
export function loadKinds(kinds: readonly CodecKind[]): ReadonlyMap<CodecKind, LoadedTool> {
  // Not below node_modules, where comments count for nothing.
  const folder = mkdtempSync(join(tmpdir(), "tenon-codecs-"));
  const files = kinds.map(({ type, declares = "", tags }, index) => {
    const comment = tags === undefined ? "" : `/** ${tags} */ `;
    const text = `${declares}
interface Values { ${comment}value: (${type})[] }
/** Gives what it was given. @tool */
export function probe(request: Values): Values { return request; }
`;
    const path = join(folder, `kind-${index}.ts`);
    writeFileSync(path, text);
    return { path, text };
  });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const project = openProject({ root: folder, roots: files.map(({ path }) => path), rules });
  try {
    return new Map(
      kinds.map((kind, index) => {
        const { path = "", text = "" } = files[index] ?? {};
        const { module, diagnostics } = project.read(path, text);
        const errors = diagnostics.filter(({ level }) => level === "error");
        const [model] = module.tools;
        if (model === undefined || errors.length > 0)
          throw new Error(`${kind.name}: ${errors.map(({ message }) => message).join(" ")}`);
        return [kind, loadTool({ ...model, binding: "probe" })];
      }),
    );
  } finally {
    project.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures a kind with about `bytes` of JSON. Throws where the kind's own values do not survive. */
export function measureKind(kind: CodecKind, tool: LoadedTool, bytes: number): CodecCost {
  const text = listText(kind, bytes);
  const wire = JSON.parse(text) as { readonly value: readonly unknown[] };
  if (!tool.isRequest(wire)) throw new Error(`${kind.name}: its own values are refused.`);
  const value = tool.decodeRequest(wire);
  const encoded = tool.encodeResult(value);
  if (!tool.isResult(encoded)) throw new Error(`${kind.name}: its own result is refused.`);
  const illegal = { value: [...wire.value, undefined, Number.NaN, { a: "x", $schema: 1 }] };
  const schema = tool.definition.request?.schema ?? {};
  const refuse = (given: unknown): void => {
    if (!tool.isRequest(given)) reportProblems(schema, given);
  };
  const perMegabyte = 1_000_000 / text.length;
  const worst = perMegabyte * leastTime(() => refuse(illegal));
  const hostile = /format|pattern|template|Date|URL|bigint|Uint8Array/.test(kind.name) ? hostileTexts : [];
  const texts = hostile.map((part) => {
    const long = { value: [part.repeat(bytes / part.length)] };
    return (1_000_000 / bytes) * leastTime(() => refuse(long));
  });
  return {
    name: kind.name,
    read: perMegabyte * leastTime(() => tool.isRequest(wire) && tool.decodeRequest(wire)),
    write: perMegabyte * leastTime(() => tool.isResult(tool.encodeResult(value))),
    refuse: Math.max(worst, ...texts),
    json: perMegabyte * leastTime(() => JSON.stringify(JSON.parse(text))),
  };
}

/** Milliseconds that the machine of the limit takes for the two tasks below, with nothing else to do. */
const usual = { shapes: 45, patterns: 7 };

/** Times that this machine is slower now: others that compute beside it share its memory and its cores. At least 1. */
export function slowness(): number {
  const text = JSON.stringify(Array.from({ length: 70_000 }, (_, index) => ({ [index.toString(36)]: 1 })));
  const words = Array.from({ length: 250_000 }, (_, index) => `${String.fromCodePoint(97 + (index % 26))}é`);
  const shapes = leastTime(() => JSON.parse(text)) / usual.shapes;
  const patterns = leastTime(() => words.filter((word) => reference.test(word))) / usual.patterns;
  return Math.max(1, shapes, patterns);
}

const reference = /^(?:[a-z][a-z\d+.-]*:)?(?:[\w.~-]|[\u0080-\uffff])*(?:\?[^#]*)?(?:#.*)?$/u;

/** The quicker of two measurements, figure by figure: other work makes code slower and never quicker. */
export function quicker(one: CodecCost, other: CodecCost): CodecCost {
  return {
    name: one.name,
    read: Math.min(one.read, other.read),
    write: Math.min(one.write, other.write),
    refuse: Math.min(one.refuse, other.refuse),
    json: Math.min(one.json, other.json),
  };
}

const rules = {
  "missing-schema": "off",
  "missing-field-text": "off",
  "unknown-type": "off",
  "local-path": "off",
} as const;
const compilerOptions = {
  target: "es2024",
  lib: ["es2024"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [resolve(import.meta.dirname, "../../../node_modules/@types")],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

function listText({ item }: CodecKind, bytes: number): string {
  const items: string[] = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    const text = JSON.stringify(item(index));
    items.push(text);
    length += text.length + 1;
  }
  return `{"value":[${items.join()}]}`;
}

/** Milliseconds of the quickest of several runs, since the first ones run code that V8 has not compiled yet. */
function leastTime(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 7; turn++) {
    const begin = processorTime();
    let runs = 0;
    // The clock of a thread moves in steps of milliseconds.
    do {
      run();
      runs++;
    } while (processorTime() - begin < 4);
    least = Math.min(least, (processorTime() - begin) / runs);
  }
  return least;
}
