import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asRecord, asText, recordIn, recordsIn, textIn } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { Dim, Progress, Remark } from "../parts/notice.tsx";
import { clientInfo, type Host } from "./host.ts";
import type { JsonObject } from "./wire.ts";

interface AppViewProps {
  readonly host: Host;
  /** The tool as the service describes it. */
  readonly tool: JsonObject;
  /** Address of the view, `ui://…`. */
  readonly uri: string;
  readonly args: JsonObject;
  readonly result: JsonObject;
}

/** Maximum number of lines about what the view has asked for, and maximum height of the view in pixels. */
const [mostLines, tallest] = [50, 3000];

/**
 * Shows the view of a tool (MCP Apps) with the result of a call, as a host does: in a frame of an origin of its own,
 * which reaches neither this page nor any network. Calls of the view go through the service's MCP endpoint.
 */
export function AppView({ host, tool, uri, args, result }: AppViewProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(300);
  const [lines, setLines] = useState<readonly string[]>([]);
  const page = useLoaded(async () => {
    const [content] = recordsIn(await host.request({ method: "resources/read", params: { uri } }), "contents");
    return textIn(content, "text") ?? "";
  }, [uri]);
  useEffect(() => {
    const send = (message: JsonObject): void =>
      frame.current?.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
    const note = (line: string): void => setLines((last) => [...last, line].slice(-mostLines));
    const answer = async (method: string, params: JsonObject): Promise<JsonObject> => {
      switch (method) {
        case "ui/initialize":
          return {
            protocolVersion: params["protocolVersion"],
            hostInfo: clientInfo,
            hostCapabilities: { serverTools: {}, serverResources: {} },
            hostContext: {
              theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
              // Some browsers have a language that is not a valid tag.
              locale: Intl.DateTimeFormat().resolvedOptions().locale,
              displayMode: "inline",
              toolInfo: { tool },
            },
          };
        case "tools/call":
        case "resources/read":
          return host.request({ method, params });
        case "ping":
          return {};
        default:
          note(`${method} ${textIn(params, "url") ?? ""} was refused.`);
          if (method === "ui/open-link" || method === "ui/message") return { isError: true };
          throw new Error("The console does not do that.");
      }
    };
    const take = ({ source, data }: MessageEvent): void => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const { id, method: name } = asRecord(data);
      const method = asText(name);
      const params = recordIn(data, "params");
      if (method === undefined) return;
      if (id !== undefined)
        answer(method, params).then(
          (given) => send({ id, result: given }),
          (error: unknown) => send({ id, error: { code: -32_603, message: String(error) } }),
        );
      else if (method === "ui/notifications/initialized") {
        send({ method: "ui/notifications/tool-input", params: { arguments: args } });
        send({ method: "ui/notifications/tool-result", params: result });
      } else if (method === "ui/notifications/size-changed")
        setHeight(Math.min(Number(params["height"]) || height, tallest));
    };
    addEventListener("message", take);
    return () => removeEventListener("message", take);
  }, [host, result]);
  return (
    <>
      <Dim>{uri}</Dim>
      <Progress of={page} />
      {page.value !== undefined && (
        <iframe
          ref={frame}
          class="app"
          title={`View of ${textIn(tool, "name")}`}
          sandbox="allow-scripts"
          src={`${location.pathname}?frame`}
          style={{ height: `${height}px` }}
          // The frame's page writes the document that it is sent, and no second one.
          onLoad={() => frame.current?.contentWindow?.postMessage(page.value, "*")}
        />
      )}
      {lines.map((line) => (
        <Remark>{line}</Remark>
      ))}
    </>
  );
}
