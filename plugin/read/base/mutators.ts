/** Methods that change the list, map or set that they belong to. */
export const mutators: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Array: "push pop shift unshift splice sort reverse fill copyWithin",
    Map: "set delete clear",
    Set: "add delete clear",
    WeakMap: "set delete",
    WeakSet: "add delete",
  }).map(([owner, names]) => [owner, new Set(names.split(" "))]),
);

const names: ReadonlySet<string> = new Set([...mutators.values()].flatMap((some) => [...some]));

/** True for the name of a method that changes a list, map or set, whatever it is called on. */
export function isMutating(name: string): boolean {
  return names.has(name);
}
