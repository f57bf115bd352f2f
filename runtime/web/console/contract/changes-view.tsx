import type { VNode } from "preact";
import { asText, recordsIn, textIn, toJson } from "../base/json.ts";
import { useStore } from "../base/use-store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useSession } from "../client/session.ts";
import { Code } from "../parts/code.tsx";
import { Notice, Progress } from "../parts/notice.tsx";

/** Milliseconds between two polls, since each save may change the contract. */
const everyLook = 4000;

/**
 * Shows the differences to the committed definition, as `tenon check --against` finds them. Only available in `tenon
 * dev`.
 */
export function ChangesView(): VNode {
  const { client } = useSession().backend;
  const epoch = useStore(client.epoch);
  const loaded = useLoaded(() => client.json("/service.json/changes").then(readChanges), [epoch], everyLook);
  if (loaded.value === undefined) return <Progress of={loaded} />;
  const { notice, findings } = loaded.value;
  return (
    <>
      <Notice>{notice}</Notice>
      <ul class="changes">
        {findings.map(({ severity, tool, place, message, witness, allowed, fails }) => (
          <li>
            <span class={`badge ${fails ? "error" : ""}`}>{asText(severity)}</span>{" "}
            <code>
              {asText(tool)} {asText(place)}
            </code>{" "}
            {asText(message)}
            {witness !== undefined && <Code>{toJson(witness)}</Code>}
            {asText(allowed)}
          </li>
        ))}
      </ul>
    </>
  );
}

function readChanges(body: unknown): {
  readonly notice: string;
  readonly findings: readonly Readonly<Record<string, unknown>>[];
} {
  const findings = recordsIn(body, "findings");
  const count =
    findings.length === 0 ? "Nothing changed" : `${findings.length} change${findings.length > 1 ? "s" : ""}`;
  return { notice: textIn(body, "absent") ?? `${count} since ${textIn(body, "against")}.`, findings };
}
