import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ctrlEnter } from "../base/ctrl-enter.ts";
import { asRecord, recordIn, recordsIn, textIn, type Json } from "../base/json.ts";
import { typed } from "../base/typed.ts";
import { useAnswerInput } from "../form/use-answer-input.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Failure } from "../parts/notice.tsx";
import { blankOf } from "../schema/blank.ts";
import type { Schema } from "../schema/schema.ts";
import type { Question } from "./wire.ts";

interface QuestionProps {
  readonly question: Question;
}

/** Shows a question of the service, with a form for its answer. */
export function QuestionForm({ question }: QuestionProps): VNode {
  switch (question.method) {
    case "elicitation/create":
      return <Elicitation question={question} />;
    case "sampling/createMessage":
      return <Sampling question={question} />;
    default:
      return <Roots question={question} />;
  }
}

interface AskedProps {
  readonly label: string;
  /** Sends the answer. */
  readonly send: () => void;
  /** Names of the other buttons, each with what it does. */
  readonly others: Readonly<Record<string, () => void>>;
  readonly children: ComponentChildren;
}

/** Shows a question with its buttons. It takes the focus, since the call waits for it. */
function Asked({ label, send, others, children }: AskedProps): VNode {
  const box = useRef<HTMLFormElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    send();
  };
  // As in a chat, Enter sends a text, and begins a line with Shift.
  const enter = (event: KeyboardEvent): void => {
    const isSent = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (isSent && (event.target as Element).matches(".field textarea")) submit(event);
    else ctrlEnter(submit)(event);
  };
  useEffect(() => box.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus(), []);
  return (
    <form class="question" aria-label={label} ref={box} onSubmit={submit} onKeyDown={enter} noValidate>
      {children}
      <div class="actions">
        <button type="submit" class="primary">
          Answer
        </button>
        {Object.entries(others).map(([name, press]) => (
          <button type="button" onClick={press}>
            {name}
          </button>
        ))}
      </div>
    </form>
  );
}

function Elicitation({ question: { number, params, refused, give } }: QuestionProps): VNode {
  const schema = asRecord(params["requestedSchema"]) as Schema;
  const before = refused?.["content"] as Json | undefined;
  const [value, setValue] = useState<Json>(() => before ?? blankOf(schema, schema));
  // The path differs from those of the request's form, so that element ids are unique.
  const [input, fits] = useAnswerInput(schema, ["question", number], value, setValue);
  const url = textIn(params, "url");
  const accept = (): void => {
    if (url !== undefined) give({ action: "accept" });
    else if (fits()) give({ action: "accept", content: value });
  };
  return (
    <Asked
      label="Question"
      send={accept}
      others={{ Decline: () => give({ action: "decline" }), Close: () => give({ action: "cancel" }) }}
    >
      <Markdown text={textIn(params, "message") ?? ""} />
      {before !== undefined && <Failure>The service asks again. It may have refused this answer.</Failure>}
      {url === undefined ? input : <code>{url}</code>}
    </Asked>
  );
}

/** Shows a request for sampling. The page has no model, so the user writes the model's answer. */
function Sampling({ question: { params, give } }: QuestionProps): VNode {
  const [text, setText] = useState("");
  const send = (): void =>
    give({
      role: "assistant",
      content: { type: "text", text },
      model: "person-at-the-console",
      stopReason: "endTurn",
    });
  const asked = recordsIn(params, "messages").map((message) => textIn(recordIn(message, "content"), "text") ?? "");
  return (
    <Asked label="Question to the model" send={send} others={{ Refuse: () => give(undefined) }}>
      <Markdown text={asked.join("\n\n")} />
      <JsonTree name="sampling/createMessage" value={params as Json} open={0} />
      <label>
        Answer of the model
        <textarea rows={3} value={text} onInput={typed(setText)} />
      </label>
    </Asked>
  );
}

function Roots({ question: { give } }: QuestionProps): VNode {
  const [text, setText] = useState("file:///home/me/project");
  const send = (): void =>
    give({
      roots: text
        .split(/\s+/)
        .filter(Boolean)
        .map((uri) => ({ uri })),
    });
  return (
    <Asked label="Question for roots" send={send} others={{ Refuse: () => give(undefined) }}>
      <label>
        Roots, one a line
        <textarea rows={3} value={text} onInput={typed(setText)} />
      </label>
    </Asked>
  );
}
