import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../../support/open-project.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const foreign =
  "a package declares the type: take a type of your own with the fields that callers send, or `Omit` this one";

/** Messages and fixes for a tool whose request has fields of the package's type `Mail`. */
function findings(mail: string, fields: string): readonly (readonly [string, string | undefined])[] {
  const root = temporaryFolder({
    "package.json": '{ "name": "a", "type": "module" }',
    "node_modules/mail/package.json": '{ "name": "mail", "types": "index.d.ts" }',
    "node_modules/mail/index.d.ts": mail,
  });
  const rules = { "missing-schema": "off", "missing-field-text": "off", "missing-text": "off" } as const;
  const project = openProject({ root, rules });
  const source = `import type { Mail } from "mail";
/** Sends. @tool */
export function send(request: { ${fields} }): void {}
`;
  const { diagnostics } = project.read(join(root, "tool.ts"), source);
  project.dispose();
  return diagnostics.map(({ message, fix }) => [message, fix] as const);
}

test("a field of a package's type that JSON cannot carry is named by its path, with a fix for the author", () => {
  const mail = "export interface Mail { attachments: { content: symbol }[]; }\n";
  expect(findings(mail, "value: Mail; own: symbol")).toEqual([
    ["Field `value.attachments[].content` has type `symbol`, which JSON cannot carry.", foreign],
    ["Field `own` has type `symbol`, which JSON cannot carry.", "use `string`"],
  ]);
});

test("several of them at one place are one finding that names each, at the first place and where it is computed anew", () => {
  const mail = `import type { Gone } from "not-there";
export interface Mail { a: Gone; b: symbol; c: { d: Gone; e(): void; f: Map<number, string> }[]; g: RegExp }
`;
  const at = (field: string) => [
    [
      `Field \`${field}.a\` uses type \`Gone\`, which cannot be found. The same holds for \`${field}.c[].d\` (\`Gone\`).`,
      foreign.replace("take", "install what the package imports, take"),
    ],
    [
      `Field \`${field}.b\` has type \`symbol\`, which JSON cannot carry. The same holds for \`${field}.c[].e\` (\`() => void\`) and \`${field}.g\` (\`RegExp\`).`,
      foreign,
    ],
    [`Field \`${field}.c[].f\` has a map whose keys are not plain strings.`, foreign],
  ];
  expect(findings(mail, "one: Mail; again: Mail[]; two: Partial<Mail>")).toEqual([...at("one"), ...at("two")]);
});

test("of many, five are named and the rest are counted", () => {
  const mail = `export interface Mail { ${Array.from({ length: 9 }, (_, index) => `f${index}: symbol`).join("; ")} }`;
  const [[message] = []] = findings(mail, "mail: Mail");
  expect(message).toMatch(/The same holds for `mail\.f1` \(`symbol`\), .*`mail\.f5` \(`symbol`\) and 3 more\.$/);
});

test("a member of a package's union that no JSON value can be is left out: callers cannot send it", () => {
  const mail = "export interface Mail { to: string | (number & { unit: string }); at: string | (() => void) }";
  expect(findings(mail, "mail: Mail")).toEqual([
    [
      "Field `mail.at` may be `() => void` in a package's type. JSON cannot carry it: callers send one of the others.",
      foreign,
    ],
  ]);
});
