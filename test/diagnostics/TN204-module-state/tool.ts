import { shared } from "./other.ts";

let calls = 0;
const state = { last: "", all: new Set<string>() };
const list: number[] = [];
const cache = new Map<string, number>();
class Cache extends Map<string, number> {}
const own = new Cache();
const held = new WeakMap<object, string>();
const store = { set: (key: string): string => key, push: (key: string): string => key };

/** Counts. @tool */
export function count(): number {
  let local = 0;
  local += 1;
  calls += 1;
  calls++;
  state.last = "x";
  list[0] = local;
  shared.value = 1;
  delete (state as { last?: string }).last;
  [calls] = [2];
  ({ local, calls } = { local, calls: 3 });
  const inner = (calls: number): void => {
    calls = 5;
    void calls;
  };
  inner(1);
  return calls;
}

/** Keeps what it has seen. @tool */
export function keep(): number {
  const seen: number[] = [];
  seen.push(1);
  list.push(1);
  list.map((one) => one + 1).push(2);
  [...list].sort();
  list.toSorted();
  cache.set("a", cache.get("b") ?? 1);
  own.delete("a");
  state.all.add("x");
  held.set(seen, "x");
  shared.names.sort();
  shared.sizes.set("a", 1);
  Object.assign(state, { last: "y" });
  store.set("a");
  store.push("a");
  return cache.size;
}
