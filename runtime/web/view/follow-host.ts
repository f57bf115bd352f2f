import {
  type App,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  type McpUiHostContext,
} from "@modelcontextprotocol/ext-apps";
import type { ViewHost } from "../../view/view-types.ts";

/** Gives the page the host's theme, colours, fonts and language. */
export function dressPage({ theme, styles, locale }: McpUiHostContext): void {
  if (theme !== undefined) applyDocumentTheme(theme);
  if (styles?.variables !== undefined) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts !== undefined) applyHostFonts(styles.css.fonts);
  if (locale !== undefined) document.documentElement.lang = locale;
}

/** The facts about the host that views are told. */
export function describeHost(app: App): ViewHost {
  const { theme, locale, timeZone, displayMode, platform } = app.getHostContext() ?? {};
  const name = app.getHostVersion()?.name;
  const facts = { name, theme, locale, timeZone, displayMode, platform };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as ViewHost;
}
