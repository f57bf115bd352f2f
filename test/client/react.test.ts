import { Window } from "happy-dom";
import { act, createElement } from "react";
import type { Root } from "react-dom/client";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { useJob, useTool, type JobState, type ToolState } from "../../runtime/client/react/index.ts";
import { CallError, type JobEvent, type JobHandle, type ToolClient } from "../../runtime/client/index.ts";
import { deferred } from "../support/fake-tool.ts";

interface Call {
  readonly request: string;
  readonly signal: AbortSignal | undefined;
  readonly answer: PromiseWithResolvers<string>;
}
const calls: Call[] = [];
/** A tool that answers when the test says so. */
const tool = ((request: string, { signal }: { signal?: AbortSignal } = {}) => {
  const answer = deferred<string>();
  calls.push({ request, signal, answer });
  return answer.promise;
}) as unknown as ToolClient<string, string>;

const window = new Window();
let root: Root;
beforeAll(async () => {
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const { createRoot } = await import("react-dom/client");
  root = createRoot(window.document.createElement("div") as never);
});
afterEach(async () => {
  await act(async () => root.render(null));
  calls.length = 0;
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await window.happyDOM.close();
});

/** Shows a component that tells what its hook gives. */
async function show<State, Props extends object>(hook: (props: Props) => State, props: Props): Promise<() => State> {
  let last: State | undefined;
  const Probe = (given: Props): null => {
    last = hook(given);
    return null;
  };
  await act(async () => root.render(createElement(Probe, props)));
  return () => {
    if (last === undefined) throw new Error("Nothing was rendered.");
    return last;
  };
}

test("useTool: a value, an error that keeps it, and only the last of two calls", async () => {
  const state = await show<ToolState<string, string>, object>(() => useTool(tool), {});
  expect(state()).toMatchObject({ value: undefined, error: undefined, isRunning: false });
  await act(async () => void state().call("one"));
  expect(state().isRunning).toBe(true);
  await act(async () => calls[0]?.answer.resolve("1"));
  expect(state()).toMatchObject({ value: "1", isRunning: false });

  await act(async () => void state().call("two"));
  await act(async () => void state().call("three"));
  expect(calls[1]?.signal?.aborted).toBe(true);
  await act(async () => calls[1]?.answer.resolve("2"));
  expect(state()).toMatchObject({ value: "1", isRunning: true });
  const error = new Error("refused");
  await act(async () => calls[2]?.answer.reject(error));
  expect(state()).toMatchObject({ value: "1", error: { name: "CallError", cause: error }, isRunning: false });
  await act(async () => void state().call("four"));
  const refused = new CallError("user-input", "4 is even.", { status: 400 });
  await act(async () => calls[3]?.answer.reject(refused));
  expect(state().error).toBe(refused);
  expect(state().error?.kind).toBe("user-input");
});

test("useTool: a component that goes ends its call", async () => {
  const state = await show<ToolState<string, string>, object>(() => useTool(tool), {});
  await act(async () => void state().call("one"));
  await act(async () => root.render(null));
  expect(calls[0]?.signal?.aborted).toBe(true);
});

test("useJob: events as they come, then the value; another job begins anew", async () => {
  const event = (id: number): JobEvent => ({ id, schema: "urn:test", data: {} });
  const gates = [deferred(), deferred()];
  const signals: (AbortSignal | undefined)[] = [];
  const handle = (id: string): JobHandle<string> => ({
    id,
    result: async () => `end of ${id}`,
    async *events({ signal } = {}) {
      signals.push(signal);
      yield event(1);
      await gates[0]?.promise;
      yield event(2);
      await gates[1]?.promise;
    },
    progress: async () => `end of ${id}`,
    cancel: async () => {},
    send: async () => {},
  });
  type Props = { readonly id?: string };
  const hook = ({ id }: Props): JobState<string> => useJob(id === undefined ? undefined : handle(id));
  const state = await show(hook, { id: "a" });
  expect(state()).toMatchObject({ events: [event(1)], isRunning: true });
  await act(async () => gates[0]?.resolve());
  expect(state().events).toEqual([event(1), event(2)]);
  await act(async () => gates[1]?.resolve());
  expect(state()).toMatchObject({ value: "end of a", isRunning: false });

  const next = await show(hook, { id: "b" });
  expect(signals[0]?.aborted).toBe(true);
  expect(next()).toMatchObject({ events: [event(1), event(2)], value: "end of b", isRunning: false });
  const none = await show(hook, {} as Props);
  expect(none()).toMatchObject({ events: [], value: undefined, isRunning: false });
});
