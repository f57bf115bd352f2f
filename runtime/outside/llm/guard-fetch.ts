import { limitAnswer, type HeldPart } from "./limit-answer.ts";
import type { LlmOptions } from "./openai-types.ts";

type Fetch = NonNullable<LlmOptions["fetch"]>;

/** The `fetch` of a client. */
export interface GuardedFetch {
  readonly fetch: Fetch;
  /** Announces how the client will read the answer to a request. */
  readonly expect: (init: RequestInit, options: object) => void;
}

/**
 * Makes the `fetch` of a client: it does not follow redirects, since a server could send the prompt to another host or
 * fetch from the sidecar, and it limits what the client holds of an answer.
 *
 * @param given Replaces the global `fetch`.
 * @param learn Called with each key before it is sent, since a key may come from a function.
 */
export function guardFetch(given: Fetch | undefined, learn: (key: string) => void): GuardedFetch {
  // The client copies the parts of a request, but not its headers.
  const expected = new WeakMap<object, HeldPart>();
  return {
    expect({ headers }, options) {
      if (typeof headers === "object") expected.set(headers, heldPart(options));
    },
    async fetch(url, init) {
      const headers = new Headers(init?.headers);
      for (const name of ["authorization", "api-key"]) {
        const key = headers.get(name);
        if (key !== null) learn(key);
      }
      const send = given ?? fetch;
      const response = await send(url, { ...init, redirect: "manual" });
      const held = response.ok && typeof init?.headers === "object" ? expected.get(init.headers) : undefined;
      return limitAnswer(response, held ?? "whole");
    },
  };
}

function heldPart(options: { readonly stream?: unknown; readonly __binaryResponse?: unknown }): HeldPart {
  if (options.__binaryResponse === true) return "none";
  return options.stream === true ? "event" : "whole";
}
