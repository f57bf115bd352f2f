import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "vitest";

/** A pause of the program: the file and line of the author's source, counted from 1, and where the values are read. */
interface Pause {
  readonly file: string;
  readonly line: number;
  /** The value of an expression in the paused function. */
  evaluate(expression: string): Promise<unknown>;
}

interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL: string;
}

interface Paused {
  readonly reason: string;
  readonly data?: { readonly scriptId: string };
  readonly hitBreakpoints?: readonly string[];
  readonly callFrames: readonly {
    readonly callFrameId: string;
    readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number };
  }[];
}

/** An editor's debugger: it sets a breakpoint at a line of a source file, by the source maps of the scripts. */
export interface AttachedDebugger {
  /** Resolves to the next pause at the breakpoint. */
  paused(): Promise<Pause>;
  resume(): Promise<void>;
  close(): void;
}

/**
 * Connects to `ws://…` of `node --inspect`, and lets the program run. The breakpoint is set in each script whose map
 * names the file, before the script runs if it is not loaded yet.
 * @param breakpoint The file's absolute path, and the line from 1.
 */
export async function attachDebugger(
  address: string,
  breakpoint: { readonly file: string; readonly line: number },
): Promise<AttachedDebugger> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  const answers = new Map<number, (result: never) => void>();
  let sent = 0;
  const send = <T>(method: string, params: object = {}): Promise<T> =>
    new Promise((resolve) => {
      answers.set((sent += 1), resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  const scripts = new Map<string, Script>();
  const stops: Paused[] = [];

  const mapOf = (scriptId: string): SourceMap | undefined => {
    const { url = "", sourceMapURL = "" } = scripts.get(scriptId) ?? {};
    return sourceMapURL === "" ? undefined : readMap(url, sourceMapURL);
  };
  const setIn = async (scriptId: string): Promise<void> => {
    const map = mapOf(scriptId);
    if (map?.payload.sources.includes(breakpoint.file) !== true) return;
    const { scriptSource } = await send<{ scriptSource: string }>("Debugger.getScriptSource", { scriptId });
    const location = { scriptId, ...placeOf(map, scriptSource, breakpoint) };
    await send("Debugger.setBreakpoint", { location });
  };
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, result } = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      params: Script & Paused;
      result: never;
    };
    if (id !== undefined) answers.get(id)?.(result);
    if (method === "Debugger.scriptParsed") scripts.set(params.scriptId, params);
    if (method !== "Debugger.paused") return;
    if (params.reason === "instrumentation")
      void setIn(params.data?.scriptId ?? "").then(() => send("Debugger.resume"));
    // Pauses of `--inspect-brk` have no breakpoint.
    else if ((params.hitBreakpoints ?? []).length === 0) void send("Debugger.resume");
    else stops.push(params);
  });
  await send("Debugger.enable");
  await send("Debugger.setInstrumentationBreakpoint", { instrumentation: "beforeScriptWithSourceMapExecution" });
  for (const { scriptId } of scripts.values()) await setIn(scriptId);
  await send("Runtime.runIfWaitingForDebugger");
  return {
    async paused() {
      await expect.poll(() => stops.length, { interval: 20 }).toBeGreaterThan(0);
      const frame = stops.shift()?.callFrames[0];
      if (frame === undefined) throw new Error("A pause has no frame.");
      const { scriptId, lineNumber, columnNumber } = frame.location;
      const entry = mapOf(scriptId)?.findEntry(lineNumber, columnNumber);
      if (entry === undefined || !("originalLine" in entry)) throw new Error("It paused in no source file.");
      return {
        file: entry.originalSource,
        line: entry.originalLine + 1,
        evaluate: async (expression) => {
          const { callFrameId } = frame;
          const { result } = await send<{ result: { value: unknown } }>("Debugger.evaluateOnCallFrame", {
            callFrameId,
            expression,
          });
          return result.value;
        },
      };
    },
    resume: async () => void (await send("Debugger.resume")),
    close: () => socket.close(),
  };
}

/** The map of a script, in the address itself or in a file beside the script, with absolute paths of its sources. */
function readMap(url: string, address: string): SourceMap {
  const script = url.startsWith("file:") ? url : pathToFileURL(url).href;
  const [, data] = /^data:[^,]*;base64,(.*)$/.exec(address) ?? [];
  const text = data === undefined ? readFileSync(new URL(address, script), "utf8") : Buffer.from(data, "base64");
  const payload = JSON.parse(String(text)) as SourceMap["payload"];
  const sources = payload.sources.map((source) => fileURLToPath(new URL(source, script)));
  return new SourceMap({ ...payload, sources });
}

/** The first place of a script that comes from the line of the source. */
function placeOf(
  map: SourceMap,
  text: string,
  { file, line }: { readonly file: string; readonly line: number },
): { readonly lineNumber: number; readonly columnNumber: number } {
  for (const [lineNumber, code] of text.split("\n").entries()) {
    for (let columnNumber = 0; columnNumber < code.length; columnNumber += 1) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if ("originalLine" in entry && entry.originalSource === file && entry.originalLine + 1 === line)
        return { lineNumber, columnNumber };
    }
  }
  throw new Error(`No code comes from ${file}:${line}.`);
}
