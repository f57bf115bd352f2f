import type { VNode } from "preact";
import { parseJson, textIn } from "../base/json.ts";
import { Dim } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";

/** Claims that name a person, the clearest first. */
const names = ["preferred_username", "email", "name", "sub"] as const;

/** Says who is signed in, if the token says it, and signs out: a reload forgets the token and all that was typed. */
export function SignedIn({ token }: { readonly token: string }): VNode {
  const claims = parseJson(textOf(token.split(".")[1] ?? ""));
  const name = names.map((key) => textIn(claims, key)).find(Boolean);
  return (
    <span class="line signed-in">
      <Dim>{name}</Dim>
      <Quiet press={() => location.reload()}>Sign out</Quiet>
    </span>
  );
}

/** Decodes base64url; empty for any other text, since not every token is a JWT. */
function textOf(part: string): string {
  try {
    const bytes = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
  } catch {
    return "";
  }
}
