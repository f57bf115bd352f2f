/** `tenon/view`: the module for the files that `@view` names. */
import { viewKey } from "../contract/view-page.ts";
import type { ConnectedTool, ToolActions, ToolFunction, ToolState } from "./view-types.ts";

export type {
  ConnectedTool,
  ToolActions,
  ToolFunction,
  ToolState,
  ViewArguments,
  ViewContent,
  ViewHost,
  ViewProgress,
  ViewResult,
  ViewValue,
} from "./view-types.ts";

/** The two hooks that Preact and React have in common. */
interface ViewHooks {
  useState<T>(initial: T): readonly [T, (next: T) => void];
  useEffect(effect: () => () => void, inputs: readonly unknown[]): void;
}

/** Properties that the first script sets on the page. */
interface ViewPage {
  readonly tool: ConnectedTool<ToolFunction>;
  /** Hooks of Preact or React; set by the view's bundle if it uses one of these. */
  readonly hooks?: ViewHooks;
}

/**
 * The connection with the host: state, calls and links, for a view without a framework. There is one per page.
 *
 * @throws Error outside of a view
 */
export function connectTool<Tool extends ToolFunction>(): ConnectedTool<Tool> {
  return pageOf("connectTool").tool as unknown as ConnectedTool<Tool>;
}

/**
 * Hook form of {@link connectTool}: the component is rendered again with each change.
 *
 * @throws Error outside of a view, and in one without Preact or React
 */
export function useTool<Tool extends ToolFunction>(): ToolState<Tool> & ToolActions<Tool> {
  const { hooks } = pageOf("useTool");
  if (hooks === undefined)
    throw new Error(
      "useTool is a hook of Preact or React, and this view uses neither. Name one as `jsxImportSource` in " +
        "tsconfig.json, or use connectTool.",
    );
  const { subscribe, call, callTool, openLink, sendMessage, ...tool } = connectTool<Tool>();
  const [state, setState] = hooks.useState(tool.state);
  hooks.useEffect(() => subscribe(setState), []);
  return { ...state, call, callTool, openLink, sendMessage };
}

function pageOf(name: string): ViewPage {
  const page = (globalThis as { readonly [viewKey]?: ViewPage })[viewKey];
  if (page === undefined) throw new Error(`${name} works in a view only. Name this file in \`@view\` of a tool.`);
  return page;
}
