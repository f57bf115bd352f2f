import { useCallback, useEffect, useRef, useState } from "react";
import type { CallFailure } from "../call-error.ts";
import { failureOf } from "./use-job.ts";
import type { ToolClient } from "../tool-client.ts";

/** State of the latest call of a tool. */
export interface ToolState<Request, Result> {
  /** Calls the tool. A call that is still running is aborted: only the latest call counts. Never rejects. */
  readonly call: (request: Request) => Promise<void>;
  /** Value of the latest call that succeeded. */
  readonly value: Result | undefined;
  /** Reason why the last call failed. */
  readonly error: CallFailure | undefined;
  readonly isRunning: boolean;
}

/** Calls a tool from a component. The call is aborted when the component unmounts, or when another call is made. */
export function useTool<Request, Result>(tool: ToolClient<Request, Result>): ToolState<Request, Result> {
  const [state, setState] = useState<Omit<ToolState<Request, Result>, "call">>(idle);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => void running.current?.abort(), []);
  const call = useCallback(
    async (request: Request) => {
      running.current?.abort();
      const own = new AbortController();
      running.current = own;
      setState(({ value }) => ({ value, error: undefined, isRunning: true }));
      const given = [request, { signal: own.signal }] as unknown as Parameters<typeof tool>;
      try {
        const value = await tool(...given);
        if (!own.signal.aborted) setState({ value, error: undefined, isRunning: false });
      } catch (error) {
        if (!own.signal.aborted) setState(({ value }) => ({ value, error: failureOf(error), isRunning: false }));
      }
    },
    [tool],
  );
  return { ...state, call };
}

const idle = { value: undefined, error: undefined, isRunning: false };
