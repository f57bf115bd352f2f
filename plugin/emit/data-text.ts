import { dialect } from "../../runtime/validation/schema.ts";
import type { JsonLiteral } from "../model/type.ts";
import { keyText, stringText } from "./js-text.ts";
import type { Scope } from "./scope.ts";

/** Shorter texts cost more as a constant than written twice. */
const shortestShared = 24;
/** A run of entries costs a spread and a constant. */
const shortestRun = 40;

type Entry = readonly [key: string, value: JsonLiteral];

/** What appears more than once in a piece of data. */
interface Repeats {
  /** JSON of values. */
  readonly values: Map<string, number>;
  /** JSON of pairs of neighbouring entries, by the objects that have them. */
  readonly neighbours: ReadonlyMap<string, number>;
  /** JSON of whole runs of entries. */
  readonly runs: ReadonlyMap<string, number>;
}

/**
 * JSON data as a literal whose equal parts are written once, as constants of the scope: values, and runs of entries that
 * two objects have in common. The portable schema repeats most of the full one. The data must be treated as read-only.
 */
export function dataText(value: JsonLiteral, scope: Scope): string {
  const objects: (readonly Entry[])[] = [];
  collectObjects(value, new Set(), objects);
  const neighbours = new Map<string, number>();
  for (const entries of objects) for (const pair of pairsOf(entries)) add(neighbours, pair);
  const runs = new Map<string, number>();
  for (const entries of objects) for (const run of runsOf(entries, neighbours)) add(runs, JSON.stringify(run));
  const repeats: Repeats = { values: new Map(), neighbours, runs };
  countValues(value, repeats, new Set());
  return partText(value, repeats, scope);
}

/** A text as functions use it: the constant that the data takes it from as well. */
export function sharedText(text: string, scope: Scope): string {
  const key = JSON.stringify(text);
  return key.length < shortestShared ? stringText(text) : scope.constant(`data:${key}`, () => stringText(text));
}

/** All different objects in a value. */
function collectObjects(value: JsonLiteral, seen: Set<string>, objects: (readonly Entry[])[]): void {
  const key = JSON.stringify(value);
  if (key.length < shortestShared || typeof value !== "object" || value === null || seen.has(key)) return;
  seen.add(key);
  const entries = Object.entries(value) as Entry[];
  if (!Array.isArray(value)) objects.push(entries);
  for (const [, item] of entries) collectObjects(item, seen, objects);
}

/** Counts equal values; inside what is written once, a value counts once. */
function countValues(value: JsonLiteral, repeats: Repeats, written: Set<string>): void {
  const key = JSON.stringify(value);
  if (key.length < shortestShared || add(repeats.values, key) > 1 || typeof value !== "object" || value === null) return;
  const entries = Object.entries(value) as Entry[];
  for (const run of Array.isArray(value) ? [entries] : runsOf(entries, repeats.neighbours)) {
    if (isRepeated(run, repeats)) {
      const runKey = JSON.stringify(run);
      if (written.has(runKey)) continue;
      written.add(runKey);
    }
    for (const [, item] of run) countValues(item, repeats, written);
  }
}

function isRepeated(run: readonly Entry[], repeats: Repeats): boolean {
  const key = JSON.stringify(run);
  return run.length > 1 && key.length >= shortestRun && (repeats.runs.get(key) ?? 0) > 1;
}

function add(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

function pairsOf(entries: readonly Entry[]): readonly string[] {
  return entries.slice(1).map((entry, index) => JSON.stringify([entries[index], entry]));
}

/** Splits entries into the longest runs whose neighbours stand together in another object as well. */
function runsOf(entries: readonly Entry[], neighbours: ReadonlyMap<string, number>): readonly (readonly Entry[])[] {
  const pairs = pairsOf(entries);
  const runs: Entry[][] = [];
  for (const [index, entry] of entries.entries()) {
    const run = runs.at(-1);
    if (run !== undefined && (neighbours.get(pairs[index - 1] ?? "") ?? 0) > 1) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function partText(value: JsonLiteral, repeats: Repeats, scope: Scope): string {
  if (value === dialect) return scope.helper("dialect");
  const key = JSON.stringify(value);
  const isShared = (repeats.values.get(key) ?? 0) > 1 || scope.known(`data:${key}`) !== undefined || isRun(value, repeats);
  return isShared ? scope.constant(`data:${key}`, () => literalText(value, repeats, scope)) : literalText(value, repeats, scope);
}

/** Whether all of an object is a run that another object has among its entries. */
function isRun(value: JsonLiteral, repeats: Repeats): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const [run, more] = runsOf(Object.entries(value) as Entry[], repeats.neighbours);
  return run !== undefined && more === undefined && isRepeated(run, repeats);
}

function literalText(value: JsonLiteral, repeats: Repeats, scope: Scope): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonLiteral) => partText(item, repeats, scope)).join()}]`;
  const entries = Object.entries(value) as Entry[];
  const runs = runsOf(entries, repeats.neighbours);
  return `{${runs.map((run) => runText(run, run.length === entries.length, repeats, scope)).join()}}`;
}

function runText(run: readonly Entry[], isWhole: boolean, repeats: Repeats, scope: Scope): string {
  const text = (): string => run.map(([key, item]) => `${keyText(key)}:${partText(item, repeats, scope)}`).join();
  if (isWhole || !isRepeated(run, repeats)) return text();
  // The same constant as that of an object which consists of this run alone.
  return `...${scope.constant(`data:${JSON.stringify(Object.fromEntries(run))}`, () => `{${text()}}`)}`;
}
