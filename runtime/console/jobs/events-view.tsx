import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Json } from "../base/json.ts";
import { asText } from "../base/json.ts";
import { kindOf } from "../client/job-event.ts";
import type { JobEvent } from "../client/job-event.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { More } from "../parts/quiet-button.tsx";
import { Card } from "../parts/card.tsx";

const portion = 200;

/** The events of a job as they came. */
export function EventsView({ events }: { readonly events: readonly JobEvent[] }): VNode {
  const [limit, setLimit] = useState(portion);
  return (
    <Card title="Events">
      <ol class="events">
        {events.slice(0, limit).map((event) => (
          <li>
            <details>
              <summary>
                <time class="mono dim">{new Date(event.at).toISOString().slice(11, 23)}</time>{" "}
                <span class="type">{kindOf(event) || event.type.replace("platform.job.", "")}</span>{" "}
                {asText(event.data["name"]) ?? asText(event.data["status"]) ?? asText(event.data["error"])}
              </summary>
              <JsonTree value={event.raw as Json} open={3} />
            </details>
          </li>
        ))}
      </ol>
      <More left={events.length - limit} of="events" onClick={() => setLimit(limit + portion * 5)} />
      {events.length === 0 && <p class="dim">None yet.</p>}
    </Card>
  );
}
