import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readAspect, readRecord } from "./aspects.ts";
import type { Aspect, AspectFilter, AspectRecord, Aspects } from "./aspects.ts";
import { fileOf, readJson, writeJson } from "./local-files.ts";
import { PlatformError, ResourceNotFoundError } from "./platform-errors.ts";

type Stored = Readonly<Record<string, unknown>>;

const prefix = "urn:platform:aspect:";

/** Aspects as files, `aspects/<id>.json`, each with the keys that the platform's answers have. */
export function createLocalAspects(root: string): Aspects {
  const folder = join(root, "aspects");
  const read = async (urn: string): Promise<{ readonly file: string; readonly stored: Stored }> => {
    const file = fileOf(folder, urn.startsWith(prefix) ? urn.slice(prefix.length) : "", ".json");
    const stored = file === undefined ? undefined : await readJson(file);
    if (file !== undefined && stored !== undefined) return { file, stored };
    throw new ResourceNotFoundError(`get aspect ${urn}`, `there is no such aspect in ${folder}.`);
  };
  const end = async (urn: string): Promise<void> => {
    const { file, stored } = await read(urn);
    if (stored["valid-to"] === undefined) await writeJson(file, { ...stored, "valid-to": new Date().toISOString() });
  };
  const withMethods = (record: AspectRecord): Aspect => ({
    ...record,
    refresh: async () => withMethods(readRecord(`get aspect ${record.urn}`, (await read(record.urn)).stored)),
    retract: () => end(record.urn),
  });
  const all = async (): Promise<AspectRecord[]> => {
    const records: AspectRecord[] = [];
    for (const name of (await readdir(folder).catch(() => [])).toSorted()) {
      const stored = name.endsWith(".json") ? await readJson(join(folder, name)) : undefined;
      if (stored !== undefined) records.push(readRecord(`read ${name} in ${folder}`, stored));
    }
    return records;
  };
  const add = async (replaces: string | undefined, ...args: Parameters<Aspects["add"]>): Promise<Aspect> => {
    const [entity, aspect, options] = args;
    const { schema, policy, content } = readAspect(entity, aspect, options);
    const id = randomUUID();
    const stored = {
      ...{ id: prefix + id, entity, schema, policy, content, replaces },
      "content-type": "application/json",
      "valid-from": new Date().toISOString(),
    };
    await writeJson(join(folder, `${id}.json`), stored);
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
      const sign = filter.orderDirection === "ASC" ? 1 : -1;
      found.sort((one, other) => sign * compare(one, other));
      for (const one of found.slice(0, filter.limit)) {
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

/** `%` stands for any text. Linear, whatever the pattern. */
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
