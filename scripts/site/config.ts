import type { DefaultTheme, MarkdownOptions, UserConfig } from "vitepress";
import { contents } from "./contents.ts";
import type { Page } from "./pages.ts";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type MarkdownState = Parameters<Parameters<Markdown["core"]["ruler"]["push"]>[1]>[0];

/** The site of a project: its guides with a sidebar, full-text search in the browser, and a dark theme. */
export function siteConfig(pages: readonly Page[], description: string): UserConfig<DefaultTheme.Config> {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  return {
    title: "tenon",
    description,
    base: process.env["SITE_BASE"] ?? "/",
    lastUpdated: false,
    cleanUrls: false,
    // Comments in code and the name of its language have too little contrast otherwise.
    head: [["style", {}, "html:root { --vp-code-lang-color: var(--vp-c-text-2) }"]],
    markdown: {
      anchor: { slugify: anchorOf },
      theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
      config: (markdown) => void markdown.core.ruler.push("heads", emptyHeads),
    },
    themeConfig: {
      search: { provider: "local" },
      outline: [2, 3],
      docFooter: { prev: false, next: false },
      nav: [
        { text: "Guides", link: "/guides" },
        { text: "Tags and types", link: "/tools" },
        { text: "Findings", link: "/diagnostics" },
        // A page of its own, which the generator does not know.
        { text: "Playground", link: "/playground/index.html", target: "_self" },
        { text: "Changes", link: "/changelog" },
      ],
      sidebar: contents.map(({ title, pages: paths }) => ({
        text: title,
        items: paths.map((path) => ({
          text: path === "index" ? "Overview" : (titles.get(path) ?? path),
          link: `/${path.replace(/(?:^|(?<=\/))index$/, "")}`,
        })),
      })),
    },
  };
}

/** Makes cells without text of the head of a table plain cells: a screen reader would announce an empty heading. */
function emptyHeads({ tokens }: MarkdownState): void {
  for (const [index, token] of tokens.entries()) {
    const close = tokens[index + 2];
    if (token.type === "th_open" && tokens[index + 1]?.content === "" && close !== undefined)
      token.tag = close.tag = "td";
  }
}

/** The anchor of a heading, as code hosts have it: links of the guides are good in both places. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
