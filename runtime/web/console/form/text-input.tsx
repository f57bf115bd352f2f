import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Schema } from "../schema/schema.ts";
import { toJson, type Json } from "../base/json.ts";
import { typed } from "../base/typed.ts";
import { Dim } from "../parts/notice.tsx";

/** Attributes that tie an element to its label and its hint. */
export interface Wiring {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": boolean;
}

export interface LeafProps {
  readonly wiring: Wiring;
  readonly value: Json;
  readonly give: (value: Json) => void;
}

/** Shows an input with one line, or with several if the text may be long. */
export function TextInput({ wiring, value, give, schema }: LeafProps & { readonly schema: Schema }): VNode {
  const text = textOf(value);
  const { format, maxLength = Infinity, pattern } = schema;
  const isShort = format !== undefined || pattern !== undefined || maxLength <= 120;
  const time = Date.parse(text);
  // An empty text is ignored if it is not valid: the browser reports an empty time as long as one of its parts is
  // empty.
  if (format === "date-time" && (text === "" || !Number.isNaN(time))) {
    const local = text && new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString();
    return (
      <div class="row">
        <input
          type="datetime-local"
          step="1"
          {...wiring}
          value={local.slice(0, 19)}
          onInput={typed((next) => give(next && new Date(next).toISOString()))}
        />
        <Dim>
          {Intl.DateTimeFormat().resolvedOptions().timeZone}
          {text && ` = ${new Date(time).toISOString().slice(0, 19)}Z (UTC)`}
        </Dim>
      </div>
    );
  }
  const shared = { ...wiring, value: text, onInput: typed(give) };
  if (format === "date") return <input type="date" {...shared} />;
  if (isShort && !text.includes("\n")) return <input type="text" {...shared} />;
  const rows = Math.min(12, Math.max(1, text.split("\n", 12).length, Math.ceil(text.length / 70)));
  return <textarea {...shared} rows={rows} />;
}

/**
 * Shows an input for a number. A text that is not a number is sent unchanged, so that the service explains what is
 * wrong.
 */
export function NumberInput({ wiring, value, give }: LeafProps): VNode {
  const [text, setText] = useState(() => textOf(value));
  // Only a value that was changed elsewhere replaces the text. Otherwise "1." would be replaced while the user types
  // "1.5".
  useEffect(() => {
    if (readNumber(text) !== value) setText(textOf(value));
  }, [value]);
  const change = (next: string): void => {
    setText(next);
    give(readNumber(next));
  };
  return <input type="text" inputMode="decimal" {...wiring} value={text} onInput={typed(change)} />;
}

function readNumber(text: string): Json {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : value === null ? "" : toJson(value);
}
