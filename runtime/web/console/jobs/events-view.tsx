import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { clockOf } from "../base/format.ts";
import type { Json } from "../base/json.ts";
import type { JobEvent } from "../client/backend.ts";
import { Card } from "../parts/card.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Remark } from "../parts/notice.tsx";
import { usePortion } from "../parts/portion.tsx";
import { sentenceOf, subjectOf, typeOf } from "./event-sentence.ts";

/** Shows the events of a job in the order in which they arrived. */
export function EventsView({ events }: { readonly events: readonly JobEvent[] }): VNode {
  const [shown, more] = usePortion(events, 200, "events");
  return (
    <Card title="Events">
      <ol class="events">
        {shown.map((event) => (
          <EventRow event={event} />
        ))}
      </ol>
      {more}
      {events.length === 0 && <Remark>None yet.</Remark>}
    </Card>
  );
}

function EventRow({ event }: { readonly event: JobEvent }): VNode {
  const [isOpen, setOpen] = useState(false);
  const type = typeOf(event);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <time class="mono dim">{clockOf(event.at)}</time>{" "}
          <span class="type" title={type}>
            {subjectOf(type)}
          </span>{" "}
          <bdi>{sentenceOf(event)}</bdi>
        </summary>
        {isOpen && <JsonTree value={event.raw as Json} open={3} />}
      </details>
    </li>
  );
}
