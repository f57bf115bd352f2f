import type { ConsoleTexts } from "../http/console-page.ts";

/**
 * The console of a service. Empty in the sources: the build of the package writes this module from
 * `runtime/web/console`.
 */
export const consoleTexts: ConsoleTexts = {
  script: "",
  style: "",
  scriptHash: "'none'",
  styleHash: "'none'",
  scripts: {},
};
