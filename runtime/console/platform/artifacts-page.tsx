import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatBytes } from "../base/format.ts";
import { asText, recordsIn } from "../base/json.ts";
import { useStore } from "../base/store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { ResultView } from "../call/result-view.tsx";
import { readAnswer } from "../client/answer.ts";
import { Dim, Progress } from "../parts/notice.tsx";
import { useSession } from "../client/session.ts";
import { Page, Columns } from "../parts/card.tsx";

/** The artifacts of the platform; pictures and texts are shown. */
export function ArtifactsPage(): VNode {
  const { client } = useSession().backend;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const list = useLoaded(() => client.json("/artifacts?limit=50"), [client, useStore(client.epoch)], 5000);
  const found = list.state === "ready" ? recordsIn(list.value, "items") : [];
  return (
    <Page>
      <h1>Artifacts</h1>
      <Progress of={list} empty={found.length === 0 && "There are none."} />
      <Columns>
        <ul class="plain-list">
          {found.map((artifact) => {
            const id = asText(artifact["id"]) ?? "";
            return (
              <li>
                <button type="button" class="wide" aria-pressed={id === chosen} onClick={() => setChosen(id)}>
                  <strong>{asText(artifact["name"]) ?? id.slice(-12)}</strong>{" "}
                  <Dim>
                    {asText(artifact["content-type"])} {formatBytes(Number(artifact["size"] ?? 0))}{" "}
                    {asText(artifact["status"])}
                  </Dim>
                </button>
              </li>
            );
          })}
        </ul>
        {chosen !== undefined && <Preview key={chosen} id={chosen} />}
      </Columns>
    </Page>
  );
}

function Preview({ id }: { readonly id: string }): VNode {
  const { client } = useSession().backend;
  const path = `/artifacts/${encodeURIComponent(id)}/blob`;
  const content = useLoaded(async () => readAnswer(await client.send(path)), [path]);
  return (
    <section class="card" aria-label="Content">
      {content.state === "ready" ? <ResultView answer={content.value} /> : <Progress of={content} empty={false} />}
    </section>
  );
}
