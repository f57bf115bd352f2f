/**
 * Milliseconds from a key to the finding on the screen, and back, in a project of 100 tools: `tenon lsp`, and beside it
 * TypeScript's own server (`tsserver` of TypeScript 6, asked at once, as no editor asks it) on the same edits. Then the
 * megabytes of `tenon lsp`. `node bench/editor.ts [--quick] [--json FILE]` after `npm run build`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { languageClient } from "../test/support/language-client.ts";
import { atMost } from "./lib/figure.ts";
import { memoryOf } from "./lib/memory-of.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { editable, makeProject } from "./make-project.ts";

/** A language server that has a document open. */
interface Editor {
  /** Replaces the text of the document. */
  type(text: string): void;
  /** True while the findings that were told last have an error. */
  hasError(): boolean;
  /** Megabytes. */
  memory(): number;
  stop(): Promise<unknown>;
}

const { quick, progress, finish } = benchScript();
const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-editor-"));
const { tool: path } = editable;
makeProject({ folder, tools: 100 });
const right = readFileSync(join(folder, path), "utf8");
const wrong = right.replace("radius: number;", "radius: () => void;");

async function openTenon(): Promise<Editor> {
  const client = await languageClient(join(root, "dist/cli/main.js"), folder);
  client.open(path, right);
  return {
    type: (text) => client.type(path, text),
    hasError: () => client.codes(path)?.includes("TN301") === true,
    memory: () => memoryOf(client.pid),
    stop: () => client.leave(),
  };
}

function openTypeScript(): Editor {
  const program = createRequire(import.meta.url).resolve("typescript/lib/tsserver.js");
  const words = [program, "--disableAutomaticTypingAcquisition"];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const file = join(folder, path);
  let hasError = false;
  let lines = right.split("\n").length;
  let seq = 0;
  const ask = (command: string, given: object): void =>
    void child.stdin.write(`${JSON.stringify({ seq: seq++, type: "request", command, arguments: given })}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { event, body } = JSON.parse(line) as { event?: string; body?: { diagnostics?: readonly object[] } };
    if (event === "semanticDiag") hasError = (body?.diagnostics ?? []).length > 0;
  });
  ask("open", { file, fileContent: right });
  return {
    type(text) {
      ask("change", { file, line: 1, offset: 1, endLine: lines, endOffset: 1, insertString: text });
      lines = text.split("\n").length;
      ask("geterr", { files: [file], delay: 0 });
    },
    hasError: () => hasError,
    memory: () => memoryOf(child.pid ?? 0),
    async stop() {
      const ended = once(child, "exit");
      ask("exit", {});
      await ended;
    },
  };
}

/** Makes the code wrong or right in turns. Milliseconds until the server has said so. */
function editor(opened: Editor): () => Promise<number> {
  let edits = 0;
  return async () => {
    const isWrong = edits++ % 2 === 0;
    const typed = performance.now();
    // Each text is another one, so that nobody answers from what is known.
    opened.type(`${isWrong ? wrong : right}// ${edits}\n`);
    while (opened.hasError() !== isWrong) {
      if (performance.now() - typed > 60_000) throw new Error("An edit was not answered within a minute.");
      await sleep(1);
    }
    return performance.now() - typed;
  };
}

const opened: Editor[] = [];
try {
  progress("editor: starting");
  const [tenon, typescript] = [await openTenon(), openTypeScript()];
  opened.push(tenon, typescript);
  const [ours, theirs] = ["tenon lsp", "tsserver, TypeScript 6"];
  const [edit, editPeer] = [editor(tenon), editor(typescript)];
  const samples = await interleave(
    [
      { name: ours, sample: async () => ({ wall: await edit() }) },
      { name: theirs, sample: async () => ({ wall: await editPeer() }) },
    ],
    { rounds: quick ? 20 : 200, warmups: 4, onRound: (round) => round % 50 === 0 && progress(`editor: edit ${round}`) },
  );
  await sleep(10_000);
  const [before, peer] = [tenon.memory(), typescript.memory()];
  const more = quick ? 100 : 1000;
  for (let count = 0; count < more; count++) await edit();
  const busy = tenon.memory();
  // Idle: it gives back what it does not need.
  await sleep(10_000);
  const after = tenon.memory();
  finish([
    {
      id: "editor",
      name: "From a key to the finding in the editor, and back, 100 tools",
      unit: "ms",
      better: "lower",
      rows: samples.rows("wall"),
      goals: [atMost(150, `${ours}, the slowest twentieth begins at`, samples.quantile("wall", ours, 0.95), "ms")],
    },
    {
      id: "editor-memory",
      name: "Memory of language servers, 100 tools",
      unit: "MB",
      better: "lower",
      rows: [
        { contender: `${ours}, idle`, median: before, spread: 0 },
        { contender: `${ours}, at the end of ${more} edits`, median: busy, spread: 0 },
        { contender: `${ours}, idle, ${more} edits later`, median: after, spread: 0 },
        { contender: `${theirs}, idle`, median: peer, spread: 0 },
      ],
      goals: [
        atMost(250, `${ours}, at the end of ${more} edits`, busy, "MB"),
        atMost(20, `growth over ${more} edits`, after - before, "MB"),
      ],
    },
  ]);
} finally {
  await Promise.all(opened.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
}
