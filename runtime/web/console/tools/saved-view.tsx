import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText } from "../base/error-text.ts";
import { parseJson, toJson, type Json } from "../base/json.ts";
import { typed } from "../base/typed.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { readSaved, withoutSecrets, writeSaved, type SavedRequests } from "./saved-requests.ts";

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
  const body = withoutSecrets(value);
  const store = (next: SavedRequests): void => {
    try {
      writeSaved(draft, next);
      setSaved(next);
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <>
      <div class="row saved">
        <input type="text" aria-label="Name of the request" value={name} onInput={typed(setName)} />
        <button type="button" disabled={name === ""} onClick={() => store({ ...saved, [name]: body })}>
          Save
        </button>
        <CopyButton label="Copy link" text={() => link(body)} />
      </div>
      <ul aria-label="Saved requests">
        {Object.entries(saved).map(
          ([key, text]) =>
            text !== undefined && (
              <li>
                <Quiet press={() => use(toJson(parseJson(String(text)), true))}>{key}</Quiet>
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
