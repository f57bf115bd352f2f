import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText } from "../base/error-text.ts";
import { useStore } from "../base/store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import type { ServiceInfo } from "../client/definition.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Notice, Progress } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import type { Tab } from "../parts/tabs.tsx";
import { useSession } from "../client/session.ts";
import { hostLines } from "./host-lines.ts";
import { loadMcpLists } from "./mcp-list.ts";
import { McpView } from "./mcp-view.tsx";

/** Promises of a service beside its definition. */
export function serviceTabs(service: ServiceInfo): readonly Tab[] {
  return [
    { name: "MCP", content: () => <McpPart /> },
    { name: "Hosts", content: () => <Hosts service={service} /> },
    { name: "OpenAPI", content: () => <OpenApiLink /> },
  ];
}

function OpenApiLink(): VNode {
  const { backend } = useSession();
  const [failure, setFailure] = useState("");
  // A plain link could not send the token.
  const save = async (): Promise<void> => {
    const response = await backend.client.send("/openapi.json");
    if (!response.ok) return setFailure(`The service answered ${response.status}.`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = "openapi.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <Quiet onClick={() => void save().catch((error: unknown) => setFailure(errorText(error)))}>
        Download openapi.json
      </Quiet>
      <span class="problem">{failure}</span>
    </>
  );
}

function McpPart(): VNode {
  const { backend } = useSession();
  const epoch = useStore(backend.client.epoch);
  const lists = useLoaded(() => loadMcpLists(backend.client), [backend, epoch]);
  if (lists.state !== "ready") return <Progress of={lists} empty={false} />;
  if (lists.value === undefined)
    return <Notice>This service does not serve MCP over HTTP. Start it with --with-mcp.</Notice>;
  return <McpView lists={lists.value} />;
}

function Hosts({ service }: { readonly service: ServiceInfo }): VNode {
  const { backend } = useSession();
  return (
    <ul class="copies">
      {hostLines(service.name, `${location.origin}${backend.client.base}/mcp`).map(({ host, text }) => (
        <li>
          <span>{host}</span> <CopyButton label={`Copy for ${host}`} text={() => text} />
          <pre class="code">{text}</pre>
        </li>
      ))}
    </ul>
  );
}
