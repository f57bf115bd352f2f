/**
 * Groups names that refer to each other in a circle; every other name is a group of its own. A group comes after the
 * groups that it refers to. (Tarjan's algorithm, without recursion, since chains of names are long.)
 *
 * @param refsOf The names to which a name refers, also ones that are not in `names`
 */
export function groupNames(
  names: Iterable<string>,
  refsOf: (name: string) => readonly string[],
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  const indices = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const path: { readonly name: string; readonly refs: readonly string[]; next: number }[] = [];
  const enter = (name: string): void => {
    lowest.set(name, indices.size);
    indices.set(name, indices.size);
    open.push(name);
    isOpen.add(name);
    path.push({ name, refs: refsOf(name), next: 0 });
  };
  const lower = (name: string, to: number): void => {
    lowest.set(name, Math.min(lowest.get(name) ?? to, to));
  };
  const leave = (name: string): void => {
    if (lowest.get(name) !== indices.get(name)) return;
    const group = open.splice(open.lastIndexOf(name));
    for (const member of group) isOpen.delete(member);
    groups.push(group);
  };
  for (const root of names) {
    if (!indices.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const ref = top.refs[top.next++];
      if (ref === undefined) {
        path.pop();
        leave(top.name);
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.name, lowest.get(top.name) ?? 0);
      } else if (!indices.has(ref)) enter(ref);
      else if (isOpen.has(ref)) lower(top.name, indices.get(ref) ?? 0);
    }
  }
  return groups;
}

/** Names that refer to themselves, directly or through others. */
export function circularNames(
  groups: readonly (readonly string[])[],
  refsOf: (name: string) => readonly string[],
): ReadonlySet<string> {
  return new Set(groups.filter(([first = "", more]) => more !== undefined || refsOf(first).includes(first)).flat());
}
