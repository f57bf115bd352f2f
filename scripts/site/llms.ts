import { contents } from "./contents.ts";
import type { Page } from "./pages.ts";

/** `llms.txt`: the guides for agents, each as Markdown beside its page. */
export function llmsText(pages: readonly Page[], description: string): string {
  const known = new Map(pages.map((page) => [page.path, page]));
  const groups = contents.map(({ title, pages: paths }) => {
    const lines = paths.flatMap((path) => {
      const page = known.get(path);
      return page === undefined ? [] : [`- [${page.title}](${path}.md): ${firstSentence(page.text)}`];
    });
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# tenon\n\n> ${description}\n\n${groups.join("\n\n")}\n`;
}

/** All guides in one file, in the order of the sidebar. */
export function llmsFullText(pages: readonly Page[]): string {
  const known = new Map(pages.map((page) => [page.path, page]));
  return contents.flatMap(({ pages: paths }) => paths.map((path) => known.get(path)?.text ?? "")).join("\n\n");
}

/** The first sentence of the first paragraph, on one line. */
function firstSentence(text: string): string {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[A-Z`*[]/.test(part) && !part.startsWith("[!")) ?? "";
  const line = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  return /^.+?[.:](?= |$)/.exec(line)?.[0] ?? line;
}
