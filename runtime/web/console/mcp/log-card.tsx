import type { VNode } from "preact";
import { clockOf } from "../base/format.ts";
import { textIn, toJson, type Json } from "../base/json.ts";
import type { Store } from "../base/store.ts";
import { useStore } from "../base/use-store.ts";
import { Card } from "../parts/card.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Dim, Remark } from "../parts/notice.tsx";
import { usePortion } from "../parts/portion.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import type { Entry } from "./wire.ts";

/** Every message between this page and the service, the latest first. */
export function LogCard({ log }: { readonly log: Store<readonly Entry[]> }): VNode {
  const entries = useStore(log);
  const [shown, more] = usePortion(entries.toReversed(), 50, "messages");
  return (
    <Card title="Messages">
      <p class="line">
        <CopyButton label="Copy all" text={() => toJson(entries, true)} />
        <Quiet press={() => log.set([])}>Clear</Quiet>
        <Dim>{entries.length}</Dim>
      </p>
      <ol class="events">
        {shown.map((entry) => (
          <li key={entry.number}>
            <details>
              <summary>
                <time class="mono dim">{clockOf(entry.at)}</time>{" "}
                <span class={entry.isSent ? "sent" : "received"}>{entry.isSent ? "→ sent" : "← received"}</span>{" "}
                <code>{labelOf(entry, entries)}</code> <Dim>{toJson(entry.message["id"])}</Dim>
              </summary>
              <JsonTree value={entry.message as Json} open={3} />
            </details>
          </li>
        ))}
      </ol>
      {more}
      {entries.length === 0 && <Remark>None yet.</Remark>}
    </Card>
  );
}

/** Returns the method of a message; for an answer, that of its request. */
function labelOf({ message, isSent }: Entry, entries: readonly Entry[]): string {
  const method = textIn(message, "method");
  if (method !== undefined) return method;
  const of = entries.findLast(
    (other) =>
      other.isSent !== isSent && other.message["id"] === message["id"] && other.message["method"] !== undefined,
  );
  return `${message["error"] === undefined ? "result" : "error"} ${textIn(of?.message, "method") ?? ""}`;
}
