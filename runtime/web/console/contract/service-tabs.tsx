import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText } from "../base/use-loaded.ts";
import { textIn, toJson } from "../base/json.ts";
import type { ServiceInfo } from "../client/definition.ts";
import { isDev } from "../client/is-dev.ts";
import { Copies } from "../parts/copies.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import type { Tab } from "../parts/tabs.tsx";
import { useSession } from "../client/session.ts";
import { ChangesView } from "./changes-view.tsx";
import { McpView } from "./mcp-view.tsx";
import { cursorEntryAt, cursorFile, serversKey, typedEntry } from "../../../contract/mcp-host-forms.ts";
import type { CopyText } from "../client/copy-as.ts";

/** Makes the tabs of a service's contract besides its definition. */
export function serviceTabs(service: ServiceInfo): readonly Tab[] {
  return [
    ...(isDev() ? [{ name: "Changes", content: () => <ChangesView /> }] : []),
    { name: "MCP", content: () => <McpView instructions={textIn(service.definition, "instructions")} /> },
    { name: "Hosts", content: () => <Hosts service={service} /> },
    { name: "OpenAPI", content: () => <OpenApiLink /> },
  ];
}

function OpenApiLink(): VNode {
  const { backend } = useSession();
  const [failure, setFailure] = useState("");
  // The file is saved by a script, since a plain link could not send the token.
  const save = async (): Promise<void> => {
    const text = toJson(await backend.client.json("/openapi.json"), true);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = "openapi.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <Quiet press={() => void save().catch((error: unknown) => setFailure(errorText(error)))}>
        Download openapi.json
      </Quiet>
      <span class="problem">{failure}</span>
    </>
  );
}

function Hosts({ service }: { readonly service: ServiceInfo }): VNode {
  const { backend } = useSession();
  return <Copies texts={hostLines(service.name, `${location.origin}${backend.client.base}/mcp`)} />;
}

/** Makes the configurations of hosts for the MCP service at this address. */
function hostLines(name: string, url: string): readonly CopyText[] {
  const key =
    name
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "service";
  const fileOf = (entry: object): string => toJson({ [serversKey]: { [key]: entry } }, true);
  return [
    { name: "Claude Code", text: `claude mcp add --transport http ${key} ${url}` },
    { name: "VS Code", text: `code --add-mcp '${toJson({ name: key, ...typedEntry(url) })}'` },
    { name: `Cursor, ${cursorFile}`, text: fileOf(cursorEntryAt(url)) },
    // Most other hosts use the form of Claude Code's file.
    { name: "Others, mcp.json", text: fileOf(typedEntry(url)) },
  ];
}
