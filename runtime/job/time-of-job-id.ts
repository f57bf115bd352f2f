/** Milliseconds since 1970 at which an id was made; undefined for an id that is not a UUIDv7. */
export function timeOfJobId(id: string): number | undefined {
  const [, high, low] = /:([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/i.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}
