import type { JobContext } from "tenon";

/**
 * Changes variables within steps.
 * @param ids - Ids of items.
 * @tool
 */
export async function run(ids: string[], job: JobContext): Promise<number> {
  let total = 0;
  const found: string[] = [];
  const seen = new Set<string>();
  const sums = { all: 0 };
  const cache = { set(_key: string, _value: number): void {} };
  for (const id of ids) {
    await job.step("count", { key: id }, () => {
      total += id.length;
      found.push(id);
      seen.add(id);
      sums.all++;
      cache.set(id, 1);
      let own = 0;
      own += 1;
      const list = [own];
      list.push(2);
      return own;
    });
  }
  total += 1;
  return total + found.length + seen.size + sums.all;
}
