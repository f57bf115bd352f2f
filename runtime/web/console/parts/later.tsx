import type { ComponentType, VNode } from "preact";
import { useState } from "preact/hooks";
import { useLoaded } from "../base/use-loaded.ts";
import { Failure, Remark } from "./notice.tsx";

/** Makes a component from one whose script is loaded when the component is first shown. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => VNode {
  let Loaded: ComponentType<P> | undefined;
  return function Later(props) {
    const [, turn] = useState({});
    const begin = async (): Promise<void> => {
      Loaded = await load();
      turn({});
    };
    return Loaded === undefined ? <Loading begin={begin} /> : <Loaded {...props} />;
  };
}

function Loading({ begin }: { readonly begin: () => Promise<void> }): VNode {
  const { failure } = useLoaded(begin, []);
  return failure === undefined ? <Remark>…</Remark> : <Failure>{failure}</Failure>;
}
