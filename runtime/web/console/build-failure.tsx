import type { VNode } from "preact";
import { textIn } from "./base/json.ts";
import { useLoaded } from "./base/use-loaded.ts";
import { useStore } from "./base/use-store.ts";
import type { Client } from "./client/client.ts";
import { Code } from "./parts/code.tsx";

/** Milliseconds between two polls, since each save may fail. */
const everyLook = 2000;

/** Says that the last save is not served, and why, so that nobody tries an edit with the build before it. */
export function BuildFailure({ client }: { readonly client: Client }): VNode {
  const epoch = useStore(client.epoch);
  const load = async (): Promise<string> => textIn(await client.json("/service.json/failure"), "failure") ?? "";
  const { value: text = "" } = useLoaded(load, [client, epoch], everyLook);
  // The text begins with the name of the entry; warnings may come before the finding that stopped the build.
  const line = /^.+:\d+:\d+ +\w+\b(?! +warning:).+$/m.exec(text)?.[0] ?? text.split("\n", 1)[0];
  return (
    <div role="status">
      {text !== "" && (
        <details class="offline">
          <summary>The last save is not served, and an earlier build answers: {line}</summary>
          <Code>{text}</Code>
        </details>
      )}
    </div>
  );
}
