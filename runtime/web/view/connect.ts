import {
  App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  type McpUiHostContext,
} from "@modelcontextprotocol/ext-apps";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { ViewFacts } from "../../contract/contract.ts";
import type {
  ConnectedTool,
  ToolFunction,
  ToolState,
  ViewContent,
  ViewProgress,
  ViewHost,
} from "../../view/view-types.ts";

type State = ToolState<ToolFunction>;
type Changes = { readonly [Key in keyof State]?: State[Key] | undefined };

/** Milliseconds after which a call of the view times out. Each progress report restarts the time. */
const longestSilence = 300_000;

/** Connects the page with its host. The state contains everything that the host has sent, also for late subscribers. */
export function connect(facts: ViewFacts, version: string): ConnectedTool<ToolFunction> {
  const app = new App({ name: facts.title ?? facts.name, version }, {});
  const listeners = new Set<(state: State) => void>();
  let state: State = { status: "waiting", content: [], host: {} };
  /** Number of the newest call; answers to older calls are ignored. */
  let newest = 0;

  function change(changes: Changes): void {
    const entries = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== undefined);
    state = Object.fromEntries(entries) as unknown as State;
    for (const listener of listeners) listener(state);
  }

  function begin(args: readonly unknown[]): number {
    change({ status: "running", args: args as never, error: undefined, progress: undefined });
    return ++newest;
  }

  function end(answer: CallToolResult): void {
    const content = answer.content as readonly ViewContent[];
    if (answer.isError === true) return change({ status: "failed", content, error: textOf(answer.content) });
    change({
      status: "done",
      content,
      result: readResult(answer, facts) as never,
      error: undefined,
      progress: undefined,
    });
  }

  app.addEventListener(
    "toolinput",
    ({ arguments: request = {} }) => void begin(argumentsOf(request, facts.parameters)),
  );
  app.addEventListener("toolresult", end);
  app.addEventListener("toolcancelled", ({ reason }) =>
    change({ status: "cancelled", error: reason ?? "The call was cancelled.", progress: undefined }),
  );
  app.addEventListener("hostcontextchanged", (context) => {
    dressPage(context);
    change({ host: describeHost(app) });
  });
  void app.connect().then(
    () => {
      dressPage(app.getHostContext() ?? {});
      change({ host: describeHost(app) });
    },
    (error: unknown) => change({ status: "failed", error: `The host does not answer: ${String(error)}` }),
  );

  return {
    name: facts.name,
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => void listeners.delete(listener);
    },
    async call(...args) {
      const own = begin(args);
      const isNewest = (): boolean => own === newest;
      try {
        const answer = await app.callServerTool(
          { name: facts.name, arguments: requestOf(args, facts.parameters) },
          {
            timeout: longestSilence,
            resetTimeoutOnProgress: true,
            onprogress: (progress) => isNewest() && change({ progress: progress as ViewProgress }),
          },
        );
        if (isNewest()) end(answer);
        return take(answer, facts) as never;
      } catch (error) {
        if (isNewest() && state.status === "running") change({ status: "failed", error: messageOf(error) });
        throw error;
      }
    },
    async callTool(name, request = {}) {
      const answer = await app.callServerTool({ name, arguments: { ...request } }, { timeout: longestSilence });
      return take(answer, { kind: "json", wrapped: true }) as never;
    },
    openLink: async (url) => (await app.openLink({ url })).isError !== true,
    sendMessage: async (text) =>
      (await app.sendMessage({ role: "user", content: [{ type: "text", text }] })).isError !== true,
  };
}

function take(answer: CallToolResult, facts: Pick<ViewFacts, "kind" | "wrapped">): unknown {
  if (answer.isError === true) throw new Error(textOf(answer.content));
  return readResult(answer, facts);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Converts positional arguments to an object with the names of the parameters. */
function requestOf(args: readonly unknown[], parameters: readonly string[] | undefined): Record<string, unknown> {
  if (parameters === undefined) return { ...(args[0] as object | undefined) };
  const entries = parameters.map((name, index) =>
    name.startsWith("...") ? [name.slice("...".length), args.slice(index)] : [name, args[index]],
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** Converts an object to positional arguments: the inverse of {@link requestOf}. */
function argumentsOf(
  request: Readonly<Record<string, unknown>>,
  parameters: readonly string[] | undefined,
): readonly unknown[] {
  if (parameters === undefined) return [request];
  return parameters.flatMap((name) => {
    if (!name.startsWith("...")) return [request[name]];
    const rest = request[name.slice("...".length)];
    return Array.isArray(rest) ? (rest as readonly unknown[]) : [];
  });
}

/** Applies the host's theme, colours, fonts and language to the page. */
function dressPage({ theme, styles, locale }: McpUiHostContext): void {
  if (theme !== undefined) applyDocumentTheme(theme);
  if (styles?.variables !== undefined) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts !== undefined) applyHostFonts(styles.css.fonts);
  if (locale !== undefined) document.documentElement.lang = locale;
}

/** Returns the properties of the host that views get. */
function describeHost(app: App): ViewHost {
  const { theme, locale, timeZone, displayMode, platform } = app.getHostContext() ?? {};
  const name = app.getHostVersion()?.name;
  const facts = { name, theme, locale, timeZone, displayMode, platform };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as ViewHost;
}

/** Returns the data of an answer; undefined if it has only blocks of content. */
function readResult(answer: CallToolResult, { kind, wrapped }: Pick<ViewFacts, "kind" | "wrapped">): unknown {
  const { content, structuredContent: data } = answer as {
    content: CallToolResult["content"];
    structuredContent?: unknown;
  };
  if (data !== undefined) return wrapped === true && isWrapped(data) ? data.result : data;
  const text = textOf(content);
  if (kind === "text") return text;
  return kind === "json" ? parsed(text) : undefined;
}

/** True for an object whose only key is `result`. */
function isWrapped(data: unknown): data is { readonly result: unknown } {
  return typeof data === "object" && data !== null && Object.keys(data).join() === "result";
}

/** The text of an answer, for errors and for results that are text. */
function textOf(content: CallToolResult["content"]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
