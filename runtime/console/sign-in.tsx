import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { asRecord, asText } from "./base/json.ts";
import { useStore } from "./base/store.ts";
import { useLoaded } from "./base/use-loaded.ts";
import type { Client } from "./client/client.ts";

/** Asks for an access token. It is kept in the memory of this page, and gone when the page is. */
export function SignIn({ client }: { readonly client: Client }): VNode {
  const [text, setText] = useState("");
  const challenge = useStore(client.challenge);
  const source = useLoaded(() => readMetadata(challenge?.metadata), [challenge?.metadata]);
  const submit = (event: Event): void => {
    event.preventDefault();
    client.token.set(text.trim().replace(/^bearer\s+/i, ""));
  };
  return (
    <main class="sign-in" id="main">
      <form class="card" aria-label="Access token" onSubmit={submit}>
        <h1>An access token is needed</h1>
        <p role="alert">{challenge?.message}</p>
        {source.state === "ready" && source.value !== undefined && (
          <dl class="facts">
            <dt>Issuer</dt>
            <dd>{source.value.issuer}</dd>
            <dt>For</dt>
            <dd>{source.value.resource}</dd>
            {source.value.scopes === "" ? undefined : (
              <>
                <dt>Scopes</dt>
                <dd>{source.value.scopes}</dd>
              </>
            )}
          </dl>
        )}
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p class="dim">It stays in the memory of this page: a reload forgets it.</p>
        <button type="submit" class="primary" disabled={text.trim() === ""}>
          Use the token
        </button>
      </form>
    </main>
  );
}

interface TokenSource {
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: string;
}

/** Place to get a token, as the service says (RFC 9728). Only its own document is read: the policy forbids others. */
async function readMetadata(address: string | undefined): Promise<TokenSource | undefined> {
  if (address === undefined) return undefined;
  // The public address of the service may not be the one that it is reached at.
  const response = await fetch(new URL(address, location.href).pathname);
  if (!response.ok) return undefined;
  const body = asRecord(await response.json());
  const servers = body["authorization_servers"];
  const scopes = body["scopes_supported"];
  return {
    issuer: Array.isArray(servers) ? servers.join(", ") : "",
    resource: asText(body["resource"]) ?? "",
    scopes: Array.isArray(scopes) ? scopes.join(" ") : "",
  };
}
