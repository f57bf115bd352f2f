import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useLoaded } from "../base/use-loaded.ts";
import { useStore } from "../base/use-store.ts";
import { useSession } from "../client/session.ts";
import { Failure, Remark } from "../parts/notice.tsx";
import { awaitedBy, keyFor } from "../call/awaited.ts";
import { MessageForm } from "./message-form.tsx";

/** Milliseconds between two polls, since neither the beginning of a wait nor a message of somebody else is an event. */
const every = 1500;

interface MessagesProps {
  /** Id of the job. */
  readonly job: string;
  /** The waits of its tool. */
  readonly waits: readonly Readonly<Record<string, unknown>>[];
}

/** Shows a form for each message that the job waits for now. */
export function MessageForms({ job, waits }: MessagesProps): VNode {
  const { kind, client, progress } = useSession().backend;
  const [sent, setSent] = useState<readonly string[]>([]);
  const epoch = useStore(client.epoch);
  const load = async (): Promise<readonly string[]> =>
    awaitedBy(await client.json(`/jobs/${job}/history`), kind === "platform" ? await progress(job) : undefined);
  const { value, failure } = useLoaded(load, [client, job, epoch, sent], every);
  const awaited = value?.filter((message) => !sent.includes(message)) ?? [];
  const forms = awaited.flatMap((message) => {
    const wait = waits.find((one) => keyFor(one, message) !== undefined);
    return wait === undefined
      ? []
      : [
          <MessageForm
            key={message}
            job={job}
            message={message}
            wait={wait}
            sent={() => setSent([...sent, message])}
          />,
        ];
  });
  const last = sent.at(-1);
  return (
    <div class="cards">
      <p class={last === undefined ? "unseen" : "dim"} role="status">
        {last !== undefined && `The message ${last} was sent.`}
      </p>
      {failure !== undefined && <Failure>{failure}</Failure>}
      {forms}
      {value !== undefined && forms.length === 0 && (
        <Remark>
          The job waits for no message now. Its form appears here when it waits for one:{" "}
          {waits.map(({ name }) => String(name)).join(", ")}.
        </Remark>
      )}
    </div>
  );
}
