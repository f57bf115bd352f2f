const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const names: Readonly<Record<string, string>> = {
  millisecond: "ms",
  sec: "s",
  second: "s",
  min: "m",
  minute: "m",
  hour: "h",
  day: "d",
  week: "w",
};

/** Milliseconds of a time such as `500ms`, `30s`, `2 m`, `1.5 hours` or `3 days`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const lower = unit.toLowerCase();
  const size = own(units, lower) ?? own(units, own(names, lower.replace(/s$/, "")) ?? "");
  const value = size === undefined ? Number.NaN : Math.round(Number(number) * size);
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the milliseconds of a range such as `2s..5m`; a single time is both its ends. */
export function parseRange(text: string): { readonly from: number; readonly to: number } | undefined {
  const [first = "", last = first, more] = text.split("..");
  const [from, to] = [parseDuration(first), parseDuration(last)];
  return from === undefined || to === undefined || more !== undefined || from > to ? undefined : { from, to };
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
