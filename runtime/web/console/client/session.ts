import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { Backend } from "./backend.ts";
import type { Call } from "./calls.ts";
import type { ServiceInfo } from "./definition.ts";
import type { MadeCall } from "./made-call.ts";
import type { Outcome } from "./outcome.ts";
import { toJson } from "../base/json.ts";

/** State that all views share. */
export interface Session {
  readonly backend: Backend;
  readonly services: readonly ServiceInfo[];
  /**
   * Calls of this page by bare job id. They are stored because a service does not keep the request of a job that has
   * ended.
   */
  readonly calls: Map<string, Call>;
  /** Last call of each tool, which a change of the view leaves as it is; the keys are those of `drafts`. */
  readonly made: Map<string, MadeCall>;
  /** Last call over MCP of each tool, prompt and resource, by the revision. */
  readonly outcomes: Map<string, Outcome>;
  /** Initial requests of forms, by service and tool, so that typed text survives a change of the view. */
  readonly drafts: Map<string, string>;
  /**
   * Address of what was last open in a view, by its label; `job`: that of the job whose page was open last; `again`:
   * the job that is being run again.
   */
  readonly places: Map<string, string>;
}

/** The context of all views. */
export const SessionContext = createContext({} as Session);

/** The session of the current view. */
export function useSession(): Session {
  return useContext(SessionContext);
}

/** The key of a tool's draft. */
export function draftKey(service: string, tool: string): string {
  return toJson([service, tool]);
}

/**
 * The text of a form, which survives a change of the view. `first`: makes the text of a new form; `given`: the text in
 * the address, empty for none, which replaces the one from before, but not what was typed at this address.
 */
export function useDraft(
  key: string,
  first: () => string,
  given = "",
): readonly [text: string, change: (text: string) => void] {
  const { drafts } = useSession();
  const [text, setText] = useState(() => drafts.get(key + given) ?? (given || first()));
  const change = (next: string): void => {
    setText(next);
    drafts.set(key, next);
    drafts.set(key + given, next);
  };
  return [text, change];
}
