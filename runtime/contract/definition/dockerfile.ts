/**
 * Finds the command of the last `ENTRYPOINT` line of a Dockerfile, in exec or shell form; `undefined` when there is
 * none or the last one is empty. Comments, continued lines, the `escape` directive and here-documents are read as
 * Docker reads them.
 */
export function dockerfileEntrypoint(text: string): readonly string[] | undefined {
  let command: readonly string[] | undefined;
  for (const instruction of instructions(text)) {
    const match = /^\s*ENTRYPOINT(?:\s+([\s\S]*))?$/i.exec(instruction);
    if (match !== null) command = readCommand((match[1] ?? "").trim());
  }
  return command === undefined || command.length === 0 ? undefined : command;
}

/** Parses a command. Everything but a JSON array of strings counts as a shell command, even when an array was meant. */
function readCommand(text: string): readonly string[] {
  if (text.startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
    } catch {
      // Invalid JSON falls through to the shell form, as in Docker.
    }
  }
  return text === "" ? [] : ["/bin/sh", "-c", text];
}

/** Lists the instructions, with continued lines joined, without comments and without the bodies of here-documents. */
function instructions(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const escape = escapeCharacter(lines);
  const found: string[] = [];
  let open = "";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    // Comments and empty lines are skipped, since they may stand inside a continued instruction.
    if (/^\s*(?:#|$)/.test(line)) continue;
    const trimmed = line.trimEnd();
    if (trimmed.endsWith(escape)) {
      open += trimmed.slice(0, -1);
      continue;
    }
    const instruction = open + line;
    open = "";
    found.push(instruction);
    index = skipHereDocuments(instruction, lines, index);
  }
  return open === "" ? found : [...found, open];
}

/** Finds the escape character in the parser directives, which are comments above everything else. */
function escapeCharacter(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^\s*#\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line);
    if (directive === null) return "\\";
    if (directive[1]?.toLowerCase() === "escape") return directive[2] === "`" ? "`" : "\\";
  }
  return "\\";
}

/** Returns the index of the last line of the here-documents that an instruction opens. */
function skipHereDocuments(instruction: string, lines: readonly string[], from: number): number {
  if (!/^\s*(?:RUN|COPY|ADD)\s/i.test(instruction)) return from;
  let index = from;
  for (const [, dash, , word] of instruction.matchAll(/<<(-?)(["']?)([A-Za-z_]\w*)\2/g)) {
    const end = lines.findIndex((line, at) => at > index && (dash === "-" ? line.replace(/^\t+/, "") : line) === word);
    // An unclosed here-document is a mistake. It is not skipped, since that would hide everything after it.
    if (end < 0) return index;
    index = end;
  }
  return index;
}
