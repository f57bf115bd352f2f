import { dialect } from "../../runtime/validation/dialect.ts";
import type { JsonLiteral } from "../model/type.ts";
import { keyText, stringText } from "./js-text.ts";
import type { Scope } from "./scope.ts";

/** Shorter texts cost more as a constant than written twice. */
const shortestShared = 24;
/** A run of entries costs a spread and a constant. */
const shortestRun = 40;

/** A part of the data. Equal parts have the same number. */
interface Part {
  readonly value: JsonLiteral;
  readonly id: number;
  /** Characters of its JSON. */
  readonly length: number;
  /** Entries of an object or items of an array, under their keys. */
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly key: string;
  readonly part: Part;
  /** Of the key and the part together. */
  readonly id: number;
}

/** What appears more than once in a piece of data. */
interface Repeats {
  /** Parts, by number. */
  readonly values: Map<number, number>;
  /** Pairs of neighbouring entries, by the objects that have them. */
  readonly neighbours: ReadonlyMap<string, number>;
  /** Whole runs of entries. */
  readonly runs: ReadonlyMap<string, number>;
  /** Parts that a constant was made for. */
  readonly named: Set<number>;
}

/**
 * JSON data as a literal whose equal parts are written once, as constants of the scope: values, and runs of entries that
 * two objects have in common. The portable schema repeats most of the full one. The data must be treated as read-only.
 */
export function dataText(value: JsonLiteral, scope: Scope): string {
  const data = numberParts(value);
  const objects: (readonly Entry[])[] = [];
  collectObjects(data, new Set(), objects);
  const neighbours = new Map<string, number>();
  for (const entries of objects) for (const pair of pairsOf(entries)) add(neighbours, pair);
  const runs = new Map<string, number>();
  for (const entries of objects) for (const run of runsOf(entries, neighbours)) add(runs, runKey(run));
  const repeats: Repeats = { values: new Map(), neighbours, runs, named: new Set() };
  countValues(data, repeats, new Set());
  return partText(data, repeats, scope);
}

/** A text as functions use it: the constant that the data takes it from as well. */
export function sharedText(text: string, scope: Scope): string {
  const key = JSON.stringify(text);
  return key.length < shortestShared ? stringText(text) : scope.constant(`data:${key}`, () => stringText(text));
}

/** Gives equal parts equal numbers, so that nothing below compares or writes out whole parts again. */
function numberParts(value: JsonLiteral): Part {
  const ids = new Map<string, number>();
  const idOf = (key: string): number => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, ids.size);
    return ids.size - 1;
  };
  const visit = (part: JsonLiteral): Part => {
    if (typeof part !== "object" || part === null) {
      const json = JSON.stringify(part);
      return { value: part, id: idOf(json), length: json.length, entries: [] };
    }
    const isList = Array.isArray(part);
    const entries: Entry[] = [];
    let length = 2;
    for (const [key, item] of Object.entries(part) as [string, JsonLiteral][]) {
      const inner = visit(item);
      const keyJson = isList ? "" : JSON.stringify(key);
      entries.push({ key, part: inner, id: idOf(`${keyJson}:${inner.id}`) });
      length += inner.length + (isList ? 0 : keyJson.length + 1) + (entries.length > 1 ? 1 : 0);
    }
    const id = idOf(`${isList ? "[" : "{"}${entries.map((entry) => entry.id).join()}`);
    return { value: part, id, length, entries };
  };
  return visit(value);
}

/** All different objects in a part. */
function collectObjects(part: Part, seen: Set<number>, objects: (readonly Entry[])[]): void {
  if (part.length < shortestShared || !isComposed(part) || seen.has(part.id)) return;
  seen.add(part.id);
  if (!Array.isArray(part.value)) objects.push(part.entries);
  for (const entry of part.entries) collectObjects(entry.part, seen, objects);
}

/** Counts equal parts; inside what is written once, a part counts once. */
function countValues(part: Part, repeats: Repeats, written: Set<string>): void {
  if (part.length < shortestShared || add(repeats.values, part.id) > 1 || !isComposed(part)) return;
  for (const run of Array.isArray(part.value) ? [part.entries] : runsOf(part.entries, repeats.neighbours)) {
    if (isRepeated(run, repeats)) {
      const key = runKey(run);
      if (written.has(key)) continue;
      written.add(key);
    }
    for (const entry of run) countValues(entry.part, repeats, written);
  }
}

function isComposed({ value }: Part): boolean {
  return typeof value === "object" && value !== null;
}

function isRepeated(run: readonly Entry[], repeats: Repeats): boolean {
  if (run.length < 2) return false;
  // Of `[["key",part],…]`: brackets, quotes and commas around the texts.
  const length = run.reduce((sum, { key, part }) => sum + JSON.stringify(key).length + part.length + 4, 1);
  return length >= shortestRun && (repeats.runs.get(runKey(run)) ?? 0) > 1;
}

function add<K>(counts: Map<K, number>, key: K): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

function runKey(run: readonly Entry[]): string {
  return run.map((entry) => entry.id).join();
}

function pairsOf(entries: readonly Entry[]): readonly string[] {
  return entries.slice(1).map((entry, index) => `${entries[index]?.id},${entry.id}`);
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

function partText(part: Part, repeats: Repeats, scope: Scope): string {
  const { value, id } = part;
  if (value === dialect) return scope.helper("dialect");
  const isNamed = isComposed(part)
    ? repeats.named.has(id)
    : typeof value === "string" && scope.known(constantKey(value)) !== undefined;
  if (!isNamed && (repeats.values.get(id) ?? 0) < 2 && !isRun(part, repeats)) return literalText(part, repeats, scope);
  repeats.named.add(id);
  return scope.constant(constantKey(value), () => literalText(part, repeats, scope));
}

function constantKey(value: JsonLiteral): string {
  return `data:${JSON.stringify(value)}`;
}

/** Whether all of an object is a run that another object has among its entries. */
function isRun(part: Part, repeats: Repeats): boolean {
  if (!isComposed(part) || Array.isArray(part.value)) return false;
  const [run, more] = runsOf(part.entries, repeats.neighbours);
  return run !== undefined && more === undefined && isRepeated(run, repeats);
}

function literalText({ value, entries }: Part, repeats: Repeats, scope: Scope): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${entries.map((entry) => partText(entry.part, repeats, scope)).join()}]`;
  const runs = runsOf(entries, repeats.neighbours);
  return `{${runs.map((run) => runText(run, run.length === entries.length, repeats, scope)).join()}}`;
}

function runText(run: readonly Entry[], isWhole: boolean, repeats: Repeats, scope: Scope): string {
  const text = (): string => run.map(({ key, part }) => `${keyText(key)}:${partText(part, repeats, scope)}`).join();
  if (isWhole || !isRepeated(run, repeats)) return text();
  // The same constant as that of an object which consists of this run alone.
  const whole = Object.fromEntries(run.map(({ key, part }) => [key, part.value]));
  return `...${scope.constant(constantKey(whole), () => `{${text()}}`)}`;
}
