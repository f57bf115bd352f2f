import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ctrlEnter } from "../base/ctrl-enter.ts";
import { newJobId } from "../base/new-ids.ts";
import { asRecord, parseJson, toJson } from "../base/json.ts";
import { errorText } from "../base/use-loaded.ts";
import { problemsIn } from "../call/problems.ts";
import { messageOf } from "../client/client.ts";
import { draftKey, useDraft, useSession } from "../client/session.ts";
import { useAnswerInput } from "../form/use-answer-input.tsx";
import { Card } from "../parts/card.tsx";
import { Failure } from "../parts/notice.tsx";
import { blankOf } from "../schema/blank.ts";
import type { Schema } from "../schema/schema.ts";
import { keyFor } from "../call/awaited.ts";

interface MessageProps {
  /** Id of the job. */
  readonly job: string;
  /** Name of the message, with the key of its wait. */
  readonly message: string;
  readonly wait: Readonly<Record<string, unknown>>;
  /** Called when the message was sent. */
  readonly sent: () => void;
}

/** Shows a form for a message that the job waits for. It begins empty, since a job goes on with any valid message. */
export function MessageForm({ job, message, wait, sent }: MessageProps): VNode {
  const { client } = useSession().backend;
  const schema = asRecord(wait["message-schema"]) as Schema;
  const [text, setText] = useDraft(draftKey(`jobs/${job}`, message), () => toJson(blankOf(schema, schema)));
  const value = parseJson(text) ?? null;
  // The path differs from those of other messages, so that element ids are unique.
  const [input, fits] = useAnswerInput(schema, ["message", message], value, (next) => setText(toJson(next)));
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState("");
  const [once] = useState(newJobId);
  const post = async (): Promise<void> => {
    const key = keyFor(wait, message);
    const path = encodeURIComponent(String(wait["name"])) + (key ? `?key=${encodeURIComponent(key)}` : "");
    const response = await client.send(`/jobs/${job}/messages/${path}`, {
      method: "POST",
      // A second message with the same key does not count.
      headers: { "content-type": "application/json", "idempotency-key": once },
      body: toJson(value),
    });
    if (response.ok) return sent();
    const refusal = await response.text();
    const found = [...problemsIn(parseJson(refusal))].map(([pointer, problem]) => `${pointer} ${problem}`);
    throw new Error([messageOf(refusal) ?? `The service answered ${response.status}.`, ...found].join("\n"));
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isSending || !fits()) return;
    setSending(true);
    setFailure("");
    post()
      .catch((error: unknown) => setFailure(errorText(error)))
      .finally(() => setSending(false));
  };
  return (
    <Card title={`Message ${message}`}>
      <form onSubmit={submit} onKeyDown={ctrlEnter(submit)} noValidate>
        {input}
        {failure !== "" && <Failure>{failure}</Failure>}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isSending}>
            Send
          </button>
        </div>
      </form>
    </Card>
  );
}
