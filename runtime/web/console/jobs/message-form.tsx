import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { typed } from "../base/typed.ts";
import { asRecord, parseJson, toJson, type Json } from "../base/json.ts";
import { draftKey, useDraft } from "../client/session.ts";
import { Input } from "../form/input.tsx";
import { useChecked } from "../form/use-checked.ts";
import { RootProblem } from "../form/root-problem.tsx";
import { Card } from "../parts/card.tsx";
import { sampleOf } from "../schema/sample.ts";
import type { Schema } from "../schema/schema.ts";

interface MessageProps {
  /** Id of the job. */
  readonly job: string;
  readonly wait: Readonly<Record<string, unknown>>;
  /** Sends a message to the path of its wait. */
  readonly send: (path: string, value: Json) => void;
}

/** Shows a form for a message that the job waits for, or will wait for. */
export function MessageForm({ job, wait, send }: MessageProps): VNode {
  const name = String(wait["name"]);
  const schema = asRecord(wait["message-schema"]) as Schema;
  const [key, setKey] = useState("");
  const path = encodeURIComponent(name) + (wait["keyed"] ? `?key=${encodeURIComponent(key)}` : "");
  const [text, setText] = useDraft(draftKey(`jobs/${job}`, name), () => toJson(sampleOf(schema, schema)));
  const value = parseJson(text) ?? null;
  // The path differs from those of other messages, so that element ids are unique.
  const at = ["message", name];
  const [problems, fits] = useChecked(schema, at);
  return (
    <Card title={`Message ${name}`}>
      {wait["keyed"] && <input type="text" aria-label="Key" placeholder="key" value={key} onInput={typed(setKey)} />}
      <Input
        schema={schema}
        root={schema}
        value={value}
        path={at}
        give={(next) => setText(toJson(next))}
        problems={problems}
        input={Input}
      />
      <RootProblem problems={problems} path={at} />
      <button type="button" onClick={() => fits(value) && send(path, value)}>
        Send
      </button>
    </Card>
  );
}
