import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText } from "../base/use-loaded.ts";
import { asRecord, parseJson, readableJson, toJson, type Json } from "../base/json.ts";
import { entered } from "../base/entered.ts";
import { typed } from "../base/typed.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Remark } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { withoutSecrets } from "../base/without-secrets.ts";

/** Requests as JSON, by the names that the user gave them. */
type SavedRequests = Readonly<Record<string, unknown>>;

interface SavedProps {
  /** Key of the tool's draft. */
  readonly draft: string;
  readonly value: Json | undefined;
  /** Fills the form. */
  readonly use: (text: string) => void;
  /** Makes the address of the form with a request. */
  readonly link: (body: string) => string;
}

/** Shows the requests that this browser has saved by name, and a link that contains the request in the form. */
export function SavedView({ draft, value, use, link }: SavedProps): VNode {
  const [saved, setSaved] = useState(() => readSaved(draft));
  const [name, setName] = useState("");
  const [failure, setFailure] = useState("");
  const [body, left] = withoutSecrets(value);
  const store = (next: SavedRequests): void => {
    try {
      writeSaved(draft, next);
      setSaved(next);
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  const isUnready = name === "" || value === undefined;
  const save = (): void => {
    if (!isUnready) store({ ...saved, [name]: body });
  };
  return (
    <>
      <div class="row saved">
        <input
          type="text"
          placeholder="Name"
          aria-label="Name of the request"
          value={name}
          onInput={typed(setName)}
          onKeyDown={entered(save)}
        />
        <button type="button" disabled={isUnready} onClick={save}>
          Save
        </button>
        {value !== undefined && <CopyButton label="Copy link" text={() => link(body)} />}
      </div>
      {value === undefined && <Remark>The request is not JSON. Correct it to save it or to copy its link.</Remark>}
      {left.length > 0 && <Remark>{`Both are without: ${left.join(", ")}`}</Remark>}
      <ul aria-label="Saved requests">
        {Object.entries(saved).map(
          ([key, text]) =>
            text !== undefined && (
              <li>
                <Quiet press={() => use(readableJson(String(text)))}>{key}</Quiet>
                <Quiet label={`Forget ${key}`} press={() => store({ ...saved, [key]: undefined })}>
                  ✕
                </Quiet>
              </li>
            ),
        )}
      </ul>
      <span class="problem">{failure}</span>
    </>
  );
}

/** The saved requests of a tool in this browser; empty if the browser does not allow storage. */
function readSaved(draft: string): SavedRequests {
  try {
    return asRecord(parseJson(localStorage.getItem(keyOf(draft)) ?? ""));
  } catch {
    return {};
  }
}

/** Replaces the saved requests of a tool. Throws if the browser does not allow storage. */
function writeSaved(draft: string, saved: SavedRequests): void {
  localStorage.setItem(keyOf(draft), toJson(saved));
}

/** Makes the key of saved requests. It contains the page's path, since several services may share a host. */
function keyOf(draft: string): string {
  return location.pathname + draft;
}
