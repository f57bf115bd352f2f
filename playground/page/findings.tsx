import type { VNode } from "preact";
import type { Diagnostic } from "../../plugin/diagnostics/diagnostic.ts";
import { Code } from "../../runtime/web/console/parts/code.tsx";
import { Remark } from "../../runtime/web/console/parts/notice.tsx";
import { Quiet } from "../../runtime/web/console/parts/quiet-button.tsx";
import { toolFile } from "../compiler/places.ts";

interface FindingsProps {
  readonly findings: readonly Diagnostic[];
  /** Moves the cursor of the editor to a place. */
  readonly go: (line: number, column: number) => void;
}

/** Lists findings with their line, their fix, and a link to what the guides say about their code. */
export function Findings({ findings, go }: FindingsProps): VNode {
  if (findings.length === 0) return <Remark>There are no findings.</Remark>;
  return (
    <ul class="findings">
      {findings.map(({ code, level, message, fix, file, line, column = 1, lineText }) => (
        <li class={level}>
          <p>
            <a href={`../diagnostics.html#${code.toLowerCase()}`}>{code}</a>{" "}
            <span class={`badge ${level}`}>{level}</span>{" "}
            {line !== undefined && file === toolFile && <Quiet press={() => go(line, column)}>line {line}</Quiet>}
          </p>
          <p>{message}</p>
          {lineText !== undefined && <Code>{lineText}</Code>}
          {fix !== undefined && <p class="dim">{fix}</p>}
        </li>
      ))}
    </ul>
  );
}
