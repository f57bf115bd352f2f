/** Groups of rooms that reach one another: the strongly connected components of more than one room. */
export function findKnots(arrows: readonly (readonly [from: string, to: string])[]): readonly (readonly string[])[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reached = new Map([...targets.keys()].map((room) => [room, reachedFrom(room, targets)] as const));
  const knots = new Map<string, readonly string[]>();
  for (const [room, others] of reached) {
    const knot = [...others].filter((other) => reached.get(other)?.has(room)).toSorted();
    if (knot.length > 1) knots.set(knot.join(), knot);
  }
  return [...knots.values()];
}

function reachedFrom(start: string, targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    for (const target of targets.get(room) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}
