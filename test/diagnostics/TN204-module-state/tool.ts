import { shared } from "./other.ts";

let calls = 0;
const state = { last: "" };
const list: number[] = [];

/** Counts. @tool */
export function count(): number {
  let own = 0;
  own += 1;
  calls += 1;
  calls++;
  state.last = "x";
  list[0] = own;
  shared.value = 1;
  delete (state as { last?: string }).last;
  [calls] = [2];
  const inner = (calls: number): void => {
    calls = 5;
    void calls;
  };
  inner(1);
  list.push(1);
  return calls;
}
