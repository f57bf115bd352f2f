import type { ComponentType, VNode } from "preact";
import { useLoaded } from "../base/use-loaded.ts";
import { Failure, Remark } from "./notice.tsx";

interface LaterProps<P> {
  /** Loads the script of the component. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
}

/** Shows a component whose script is loaded when it is first shown. */
export function Later<P extends object>({ load, props }: LaterProps<P>): VNode {
  const { value: Loaded, failure } = useLoaded(load, []);
  if (Loaded === undefined) return failure === undefined ? <Remark>…</Remark> : <Failure>{failure}</Failure>;
  return <Loaded {...props} />;
}
