import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, Notice } from "../../runtime/web/console/parts/notice.tsx";
import type { Compiled } from "../compiler/open-playground.ts";
import { openCompiler } from "./compiler.ts";
import { type Editor, openEditor } from "./editor.ts";
import { example } from "./example.ts";
import { fragmentOf, sourceIn } from "./link.ts";
import type { FromCompiler } from "./messages.ts";
import { Stages } from "./stages.tsx";

/** State of the last compilation. */
interface Shown {
  readonly compiled?: Compiled;
  readonly took?: number;
  /** Reason why the compiler gave no answer. */
  readonly failure?: string;
}

/** The playground: a source on the left, and on the right what tenon makes of it. */
export function App({ first }: { readonly first: string | undefined }): VNode {
  const [shown, setShown] = useState<Shown>({});
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const source = useRef(first ?? example);
  useEffect(() => {
    const tell = (answer: FromCompiler): void => {
      if ("failure" in answer) return setShown((before) => ({ ...before, failure: answer.failure }));
      setShown(answer);
      editor.current?.mark(answer.compiled.diagnostics);
    };
    const compiler = openCompiler({ start: () => new Worker("worker.js"), tell });
    const change = (next: string): void => {
      source.current = next;
      compiler.compile(next);
    };
    if (box.current !== null) editor.current = openEditor(box.current, source.current, change);
    compiler.compile(source.current);
    const follow = (): void => void sourceIn(location.hash).then((next) => next && editor.current?.set(next));
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("hashchange", follow);
      editor.current?.close();
    };
  }, []);
  return (
    <>
      <header class="top">
        <p class="brand">
          <strong>tenon</strong> playground
        </p>
        <nav aria-label="Site">
          <a href="../index.html">Overview</a>
          <a href="../tools.html">What makes a tool</a>
        </nav>
        <ShareButton source={() => source.current} />
      </header>
      <main class="playground">
        <h1 class="unseen">Playground</h1>
        <section class="source" aria-label="Source">
          <div ref={box} />
        </section>
        <section class="made" aria-label="Result">
          <Status shown={shown} />
          {shown.compiled !== undefined && (
            <Stages compiled={shown.compiled} go={(line, column) => editor.current?.go(line, column)} />
          )}
        </section>
      </main>
    </>
  );
}

function Status({ shown: { compiled, took = 0, failure } }: { readonly shown: Shown }): VNode {
  if (failure !== undefined) return <Failure>The compiler has failed: {failure}</Failure>;
  if (compiled === undefined) return <Notice>Loading the compiler…</Notice>;
  const count = (level: string): number => compiled.diagnostics.filter((one) => one.level === level).length;
  const texts = [
    `${compiled.tools.length} ${compiled.tools.length === 1 ? "tool" : "tools"}`,
    ...(["error", "warning", "hint"] as const).flatMap((level) =>
      count(level) === 0 ? [] : `${count(level)} ${level}${count(level) === 1 ? "" : "s"}`,
    ),
  ];
  return (
    <p class="dim state" role="status" data-took={Math.round(took)}>
      {texts.join(" · ")}
    </p>
  );
}

/** Puts the source into the address of the page, and copies that address. */
function ShareButton({ source }: { readonly source: () => string }): VNode {
  const [isCopied, setCopied] = useState(false);
  const share = async (): Promise<void> => {
    history.replaceState(undefined, "", await fragmentOf(source()));
    // Without permission the address is in the address bar all the same.
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" onClick={() => void share()}>
      {isCopied ? "The link is in the address bar" : "Share"}
    </button>
  );
}
