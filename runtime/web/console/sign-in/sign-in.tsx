import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText, useLoaded } from "../base/use-loaded.ts";
import { useStore } from "../base/use-store.ts";
import { typed } from "../base/typed.ts";
import { parseJson } from "../base/json.ts";
import { withoutSecrets } from "../base/without-secrets.ts";
import type { Client } from "../client/client.ts";
import { Facts } from "../parts/facts.tsx";
import { Failure, Remark } from "../parts/notice.tsx";
import { readSource } from "./read-source.ts";
import type { Drafts, SigningIn } from "./token-source.ts";

interface SignInProps {
  readonly client: Client;
  /** Leads to the authorisation server; undefined if there is none. */
  readonly leave: SigningIn["leave"] | undefined;
  readonly drafts: Drafts;
  readonly refusal: string;
}

/**
 * Shows a form for an access token. The token is stored only in the memory of this page, and is lost when the page is
 * closed.
 */
export function SignIn({ client, drafts, leave, refusal }: SignInProps): VNode {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState(refusal);
  const challenge = useStore(client.challenge);
  const { value: source } = useLoaded(() => readSource(challenge?.metadata), [challenge?.metadata]);
  // A text with a field that is named like a secret is not written into the browser's storage.
  const kept = (): Drafts =>
    new Map([...drafts].filter(([, draft]) => withoutSecrets(parseJson(draft))[1].length === 0));
  const submit = (event: Event): void => {
    event.preventDefault();
    // The same token counts as a new one, since the service may accept it now.
    client.token.set(undefined);
    client.token.set(text.trim().replace(/^bearer\s+/i, ""));
  };
  return (
    <main class="sign-in" id="main">
      <form class="card" aria-label="Access token" onSubmit={submit}>
        <h1>An access token is needed</h1>
        {/* The first answer, without a token, is for programs. */}
        <p role="alert">
          {client.token.get() === undefined ? "The service answers only callers with a token." : challenge?.message}
        </p>
        {source !== undefined && <Facts rows={Object.entries(source).filter(([, value]) => value)} />}
        {source?.issuer && leave !== undefined && (
          <p>
            <button
              type="button"
              class="primary"
              onClick={() => void leave(source, kept()).catch((error: unknown) => setFailure(errorText(error)))}
            >
              Sign in
            </button>
          </p>
        )}
        {failure && <Failure>{failure}</Failure>}
        <label>
          Token
          <input type="password" autocomplete="off" spellcheck={false} value={text} onInput={typed(setText)} />
        </label>
        <Remark>It stays in the memory of this page: a reload forgets it.</Remark>
        <button type="submit" disabled={!text.trim()}>
          Use the token
        </button>
      </form>
    </main>
  );
}
