import { spawn } from "node:child_process";
import { paint, say } from "../base/output.ts";

/** Called when the user presses a key. */
export interface KeyActions {
  /** Address of the console; undefined while there is none. */
  page(): string | undefined;
  restart(): void;
  quit(): void;
}

/** Reacts to single keys on a terminal, and prints a list of them. Returns a function that stops reading keys. */
export function listenToKeys({ page, restart, quit }: KeyActions): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stderr.isTTY) return () => {};
  say(paint("dim", "  keys     o open the console, r restart, c clear, q quit"));
  const press = (key: string): void => {
    if (key === "o") openPage(page());
    else if (key === "r") {
      say(paint("dim", "restarting"));
      restart();
    } else if (key === "c") process.stderr.write("\u001B[2J\u001B[3J\u001B[H");
    // The terminal is in raw mode, so Ctrl-C and Ctrl-D arrive as characters.
    else if (key === "q" || key === "\u0003" || key === "\u0004") quit();
  };
  stdin.setRawMode(true).setEncoding("utf8").on("data", press).resume();
  return () => {
    stdin.setRawMode(false).off("data", press).pause();
  };
}

function openPage(address: string | undefined): void {
  if (address === undefined) {
    say(paint("yellow", "There is no page yet."));
    return;
  }
  const [command, ...words] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(command ?? "", [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => say(`No browser could be opened. The console is at ${address}`));
  child.unref();
}
