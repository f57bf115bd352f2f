import type { VNode } from "preact";
import { clockOf } from "../base/format.ts";
import { asRecord, asText, recordsIn, toJson } from "../base/json.ts";
import { Card } from "../parts/card.tsx";
import { Code } from "../parts/code.tsx";
import { Dim, Remark } from "../parts/notice.tsx";

/** Shows the errors that failed a job with their source lines, and its log lines. */
export function NotesView({ notes }: { readonly notes: Readonly<Record<string, unknown>> }): VNode {
  const error = asRecord(notes["error"]);
  const logs = recordsIn(notes, "logs");
  return (
    <>
      {notes["error"] !== undefined && (
        <Card title="Stack">
          {[error, ...recordsIn(error, "causes")].map((one) => (
            <div style={`margin-left:${one["depth"]}em`}>
              <Code>{(one["as"] ? `${one["as"]}: ` : "") + asText(one["message"])}</Code>
              <Frames of={one} />
            </div>
          ))}
        </Card>
      )}
      {logs.length > 0 && (
        <Card title="Log">
          {notes["earlier"] !== undefined && <Remark>{String(notes["earlier"])} earlier lines are left out.</Remark>}
          <ol class="log">
            {logs.map((line) => (
              <li>
                <time class="mono dim">{clockOf(Number(line["time"]))}</time>{" "}
                <b class={asText(line["level"])}>{asText(line["level"])}</b> <Dim>{asText(line["name"])}</Dim>{" "}
                {asText(line["message"])} <Dim>{toJson(line["fields"]).replace(/^\{\}$/, "")}</Dim>
                {recordsIn(line, "stacks").map((one) => (
                  <>
                    {asText(one["message"])}
                    <Frames of={one} />
                  </>
                ))}
              </li>
            ))}
          </ol>
        </Card>
      )}
    </>
  );
}

/** Shows the calls of a stack: those of the project with links to the editor, all others folded. */
function Frames({ of }: { readonly of: Readonly<Record<string, unknown>> }): VNode {
  return (
    <ol class="stack">
      {recordsIn(of, "frames").map(({ folded, name, place, link, code, isChanged }) => (
        <li>
          {Array.isArray(folded) ? (
            <details>
              <summary>
                <Dim>
                  {folded.length} call{folded.length > 1 && "s"} of packages
                </Dim>
              </summary>
              <Code>{folded.join("\n")}</Code>
            </details>
          ) : (
            <>
              <a href={asText(link) ?? ""}>{asText(place)}</a> <Dim>{asText(name)}</Dim>
              {isChanged && <Dim> The file has changed since: its lines may be other ones.</Dim>}
              {code !== "" && <Code>{asText(code)}</Code>}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
