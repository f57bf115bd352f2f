import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Diagnostic } from "../../plugin/diagnostics/diagnostic.ts";
import { toolFile } from "../compiler/places.ts";

/** The editor of the source. */
export interface Editor {
  /** Replaces the whole source. */
  set(source: string): void;
  /** Underlines the places of findings. */
  mark(findings: readonly Diagnostic[]): void;
  /** Moves the cursor to a line and column, both from 1. */
  go(line: number, column: number): void;
  close(): void;
}

/**
 * Opens an editor in an element.
 *
 * @param changed Called with each new source
 */
export function openEditor(parent: HTMLElement, source: string, changed: (source: string) => void): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: source,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        bracketMatching(),
        javascript({ typescript: true }),
        syntaxHighlighting(classHighlighter),
        // The tab key moves the focus, as on every page.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "TypeScript", spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) changed(state.doc.toString());
        }),
      ],
    }),
  });
  const placeOf = (line: number, column: number): number => {
    const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(at.from + column - 1, at.to);
  };
  return {
    set: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark(findings) {
      const marks = findings.flatMap(({ level, code, message, file, line, column = 1, length = 1 }): Mark[] => {
        if (line === undefined || file !== toolFile) return [];
        const from = placeOf(line, column);
        const to = Math.min(from + length, view.state.doc.length);
        return [{ from, to, severity: level === "hint" ? "hint" : level, message: `${code}  ${message}` }];
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    go(line, column) {
      view.dispatch({ selection: { anchor: placeOf(line, column) }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
