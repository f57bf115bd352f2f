import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { errorText } from "../base/use-loaded.ts";
import { Remark } from "../parts/notice.tsx";
import type { Subscribe } from "./host.ts";

interface SubscriptionProps {
  readonly subscribe: Subscribe;
  readonly uri: string;
  /** Called when the resource has changed. */
  readonly changed: () => void;
}

/** Subscribes to a resource, counts its updates, and ends the subscription. */
export function Subscription({ subscribe, uri, changed }: SubscriptionProps): VNode {
  const [said, setSaid] = useState("");
  const stop = useRef<(() => void) | undefined>(undefined);
  const end = (): void => {
    stop.current?.();
    stop.current = undefined;
    setSaid("");
  };
  useEffect(() => end, [uri, subscribe]);
  const begin = async (): Promise<void> => {
    let updates = 0;
    stop.current = await subscribe(uri, () => {
      updates += 1;
      setSaid(`Subscribed; updated ${updates} time${updates > 1 ? "s" : ""}.`);
      changed();
    });
    setSaid("Subscribed; no update yet.");
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          if (stop.current === undefined) begin().catch((error: unknown) => setSaid(errorText(error)));
          else end();
        }}
      >
        {said.startsWith("Subscribed") ? "Unsubscribe" : "Subscribe"}
      </button>
      <span role="status">
        <Remark>{said}</Remark>
      </span>
    </>
  );
}
