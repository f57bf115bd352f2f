/**
 * The script of the sandboxed frame. The visitor's code runs in a worker of its own, so that this script can always be
 * reached, and a loop without an end holds up nothing.
 */
import type { FrameAnswer, FrameCall } from "../page/messages.ts";

/** The text of `run-tool.ts`; the bundler inserts it. */
declare const runnerText: string;

addEventListener("message", ({ source, data }: MessageEvent<FrameCall>) => {
  if (source !== parent) return;
  const worker = new Worker(URL.createObjectURL(new Blob([runnerText], { type: "text/javascript" })));
  const send = (answer: FrameAnswer): void => parent.postMessage(answer, "*");
  worker.addEventListener("message", (event: MessageEvent<FrameAnswer>) => send(event.data));
  worker.addEventListener("error", ({ message }) => send({ failure: message, logs: [] }));
  worker.postMessage(data);
});
parent.postMessage("ready", "*");
