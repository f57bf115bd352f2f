import { randomUUID } from "node:crypto";
import { readAspect, readRecord, type Aspect, type AspectFilter, type AspectRecord, type Aspects } from "../aspects.ts";
import { PlatformError, ResourceNotFoundError } from "../sidecar/platform-errors.ts";

/** An aspect, with the keys that the platform's answers use. */
export type StoredAspect = Readonly<Record<string, unknown>>;

/** Storage of aspects: a folder, or memory. */
export interface AspectStore {
  /** Text for errors, which completes "there is no such aspect in …". */
  readonly place: string;
  /** Reads an aspect; undefined for an unknown id. */
  read(id: string): Promise<StoredAspect | undefined>;
  write(id: string, stored: StoredAspect): Promise<void>;
  all(): Promise<readonly StoredAspect[]>;
}

const prefix = "urn:platform:aspect:";

/** Operations on aspects without a platform. */
export function createLocalAspects(store: AspectStore): Aspects {
  const idOf = (urn: string): string => (urn.startsWith(prefix) ? urn.slice(prefix.length) : "");
  const read = async (urn: string): Promise<StoredAspect> => {
    const stored = await store.read(idOf(urn));
    if (stored !== undefined) return stored;
    throw new ResourceNotFoundError(`get aspect ${urn}`, `there is no such aspect in ${store.place}.`);
  };
  const end = async (urn: string): Promise<void> => {
    const stored = await read(urn);
    if (stored["valid-to"] !== undefined) return;
    await store.write(idOf(urn), { ...stored, "valid-to": new Date().toISOString() });
  };
  const withMethods = (record: AspectRecord): Aspect => ({
    ...record,
    refresh: async () => withMethods(readRecord(`get aspect ${record.urn}`, await read(record.urn))),
    retract: () => end(record.urn),
  });
  const all = async (): Promise<AspectRecord[]> =>
    (await store.all()).map((stored) => readRecord(`read an aspect in ${store.place}`, stored));
  const add = async (replaces: string | undefined, ...args: Parameters<Aspects["add"]>): Promise<Aspect> => {
    const [entity, aspect, options] = args;
    const { schema, policy, content } = readAspect(entity, aspect, options);
    const id = randomUUID();
    const stored = {
      id: prefix + id,
      entity,
      schema,
      policy,
      content,
      replaces,
      "content-type": "application/json",
      "valid-from": new Date().toISOString(),
    };
    await store.write(id, stored);
    return withMethods(readRecord("add an aspect", stored));
  };
  return {
    add: (...args) => add(undefined, ...args),
    async update(entity, aspect, options) {
      const { schema } = readAspect(entity, aspect, options);
      const before = (await all()).filter(
        (one) => one.entity === entity && one.schema === schema && one.validTo === undefined,
      );
      for (const one of before) await end(one.urn);
      return add(before.at(-1)?.urn, entity, aspect, options);
    },
    async *list(filter = {}) {
      checkFilter(filter);
      const found = (await all()).filter((one) => matches(one, filter));
      const oldestFirst = found.toSorted(compare);
      const ordered = filter.orderDirection === "ASC" ? oldestFirst : oldestFirst.toReversed();
      for (const one of ordered.slice(0, filter.limit)) {
        yield withMethods(filter.includeContent === false ? { ...one, content: undefined } : one);
      }
    },
  };
}

function checkFilter({ filter, contentPath, orderBy = "valid_from" }: AspectFilter): void {
  const name = filter !== undefined ? "filter" : contentPath !== undefined ? "contentPath" : undefined;
  if (name !== undefined) {
    throw new PlatformError("list local aspects", `the option ${name} works on a platform only (PLATFORM_BASE_URL).`);
  }
  if (orderBy !== "valid_from") {
    throw new PlatformError("list local aspects", `they can be ordered by valid_from only, not by ${orderBy}.`);
  }
}

function matches(one: AspectRecord, { entity, schema, atTime }: AspectFilter): boolean {
  const time = atTime?.toISOString();
  const isValid =
    time === undefined
      ? one.validTo === undefined
      : (one.validFrom ?? "") <= time && (one.validTo === undefined || one.validTo > time);
  return (
    isValid && (entity === undefined || one.entity === entity) && (schema === undefined || isLike(one.schema, schema))
  );
}

/** True if a text matches a pattern in which `%` stands for any text. Takes linear time for every pattern. */
function isLike(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("%");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function compare(one: AspectRecord, other: AspectRecord): number {
  const [left, right] = [one.validFrom ?? "", other.validFrom ?? ""];
  return left < right ? -1 : left > right ? 1 : 0;
}
