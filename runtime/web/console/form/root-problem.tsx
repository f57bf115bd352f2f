import type { VNode } from "preact";
import { pointerOf, type Path } from "../base/pointer.ts";

interface RootProblemProps {
  readonly problems: ReadonlyMap<string, string>;
  /** Path of the value of the form. */
  readonly path: Path;
}

/** Shows the problem of a form's whole value, which has no field around it. */
export function RootProblem({ problems, path }: RootProblemProps): VNode {
  return (
    <p class="problem" role="alert">
      {problems.get(pointerOf(path))}
    </p>
  );
}
