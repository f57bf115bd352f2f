import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../../support/open-project.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test("a field of a package's type that JSON cannot carry is named by its path, with a fix for the author", () => {
  const root = temporaryFolder({
    "package.json": '{ "name": "a", "type": "module" }',
    "node_modules/mail/package.json": '{ "name": "mail", "types": "index.d.ts" }',
    "node_modules/mail/index.d.ts": "export interface Mail { attachments: { content: symbol }[]; }\n",
  });
  const rules = { "missing-schema": "off", "missing-field-text": "off", "missing-text": "off" } as const;
  const project = openProject({ root, rules });
  const { diagnostics } = project.read(
    join(root, "tool.ts"),
    `import type { Mail } from "mail";
/** Sends. @tool */
export function send(request: { value: Mail; own: symbol }): void {}
`,
  );
  project.dispose();
  const foreign =
    "a package declares the type: take a type of your own with the fields that callers send, or `Omit` this one";
  expect(diagnostics.map(({ message, fix }) => [message, fix])).toEqual([
    ["Field `value.attachments[].content` has type `symbol`, which JSON cannot carry.", foreign],
    ["Field `own` has type `symbol`, which JSON cannot carry.", "use `string`"],
  ]);
});
