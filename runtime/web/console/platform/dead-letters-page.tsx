import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { bareId } from "../base/ids.ts";
import { asText, recordsIn } from "../base/json.ts";
import { linkTo } from "../base/route.ts";
import { useStore } from "../base/use-store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { Code } from "../parts/code.tsx";
import { Dim, Progress } from "../parts/notice.tsx";
import { useSession } from "../client/session.ts";
import { Page } from "../parts/card.tsx";

/** Shows jobs whose workers were lost repeatedly, with the last log lines of the last worker. */
export function DeadLettersPage(): VNode {
  const { client } = useSession().backend;
  const [turn, setTurn] = useState(0);
  const [said, setSaid] = useState("");
  const letters = useLoaded(() => client.json("/dead-letters"), [client, turn, useStore(client.epoch)], 3000);
  const found = recordsIn(letters.value, "items");
  const redrive = (id: string): void => {
    client.json(`/jobs/${bareId(id)}/redrive`, { method: "POST" }).then(
      () => {
        setSaid("The job waits again.");
        setTurn(turn + 1);
      },
      (error: unknown) => setSaid(String(error)),
    );
  };
  return (
    <Page>
      <div class="head">
        <h1>Dead letters</h1>
        <span role="status" class="dim">
          {said}
        </span>
      </div>
      <Progress of={letters} empty={found.length === 0 && "There are none."} />
      <ul class="cards">
        {found.map((letter) => {
          const id = asText(letter["id"]) ?? "";
          const log = letter["log-tail"];
          return (
            <li class="card">
              <p class="line">
                <a class="mono" href={linkTo("jobs", bareId(id))}>
                  {bareId(id)}
                </a>
                <strong>{asText(letter["service-name"])}</strong>
                <Dim>{asText(letter["ended-at"])}</Dim>
                <button type="button" onClick={() => redrive(id)}>
                  Redrive
                </button>
              </p>
              <p>{asText(letter["detail"]) ?? asText(letter["error-message"])}</p>
              {Array.isArray(log) && <Code>{log.join("\n")}</Code>}
            </li>
          );
        })}
      </ul>
    </Page>
  );
}
