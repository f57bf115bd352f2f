import type { CancelCall, McpCallContext, McpStartContext } from "./port.ts";

/** Maximum number of reports that wait for a slow client. Further reports are dropped, since they are only hints. */
const maxWaiting = 1000;

/**
 * Adapts work with callbacks for reports and for its end to a promise. Reports are sent in order, the last report
 * before the promise resolves, so that no report follows the answer. Aborting the signal cancels the work.
 */
export async function byPromise<End>(
  { signal, notifyProgress, log, ...rest }: McpCallContext,
  start: (context: McpStartContext, done: (end: End) => void) => CancelCall,
): Promise<End> {
  let waiting = 0;
  let last = Promise.resolve();
  const inOrder = <Report extends readonly unknown[]>(
    send: ((...report: Report) => Promise<void>) | undefined,
  ): ((...report: Report) => Promise<void>) | undefined =>
    send &&
    ((...report) => {
      if (waiting === maxWaiting) return last;
      waiting += 1;
      last = last.then(() => send(...report)).finally(() => (waiting -= 1));
      return last;
    });
  const context = { ...rest, notifyProgress: inOrder(notifyProgress), log: inOrder(log) };
  let cancel: CancelCall | undefined;
  // The reason of a client that cancels is a text or missing; that of a closed connection is an error.
  const onAbort = (): void => cancel?.(signal.reason instanceof Error && signal.reason.name !== "AbortError");
  const end = await new Promise<End>((resolve) => {
    cancel = start(context, resolve);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  signal.removeEventListener("abort", onAbort);
  await last;
  return end;
}
