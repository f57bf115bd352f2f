import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { insertionPoint } from "../../../../../plugin/read/tools/insertion.ts";

/** The text with `¦` where the call of the last function would stand. */
function marked(text: string, hoisted = true): string {
  const file = ts.createSourceFile("tool.ts", text, ts.ScriptTarget.ESNext);
  const last = file.statements.at(-1);
  if (last === undefined) throw new Error("no statement");
  const { offset } = insertionPoint(file, last, hoisted);
  return `${text.slice(0, offset)}¦${text.slice(offset)}`;
}

test.each([
  [
    "behind the imports",
    'import a from "a";\nimport "b"; // b\n\n/** Doc. */\nfunction f() {}',
    'import a from "a";\nimport "b";¦ // b\n\n/** Doc. */\nfunction f() {}',
  ],
  ["behind an import without a semicolon", 'import a from "a"\nfunction f() {}', 'import a from "a"¦\nfunction f() {}'],
  [
    "behind the first run of imports only",
    'import "a";\nlet x;\nimport "b";\nfunction f() {}',
    'import "a";¦\nlet x;\nimport "b";\nfunction f() {}',
  ],
  [
    "in front of the first comment",
    "// Licence.\n/** Doc. */\nfunction f() {}",
    "¦// Licence.\n/** Doc. */\nfunction f() {}",
  ],
  [
    "behind directives",
    '"use strict";\n"use client"\nfunction f() {}',
    '"use strict";\n"use client"¦\nfunction f() {}',
  ],
  [
    "behind directives and imports",
    '"use strict";\nimport "a";\nfunction f() {}',
    '"use strict";\nimport "a";¦\nfunction f() {}',
  ],
  [
    "behind imports, in front of a text that is no directive there",
    'import "a";\n"use client";\nfunction f() {}',
    'import "a";¦\n"use client";\nfunction f() {}',
  ],
  ["in front of a first statement that is neither", "let x;\nfunction f() {}", "¦let x;\nfunction f() {}"],
  ["behind a #! line", "#!/usr/bin/env node\nfunction f() {}", "#!/usr/bin/env node\n¦function f() {}"],
  [
    "behind a #! line that ends with CRLF",
    "#!/usr/bin/env node\r\nfunction f() {}",
    "#!/usr/bin/env node\r\n¦function f() {}",
  ],
  ["behind a byte-order mark", "\uFEFFfunction f() {}", "\uFEFF¦function f() {}"],
])("%s", (_, text, expected) => {
  expect(marked(text)).toBe(expected);
});

test("behind its own statement when it is not hoisted", () => {
  expect(marked('import "a";\nexport const f = () => 1; // f', false)).toBe(
    'import "a";\nexport const f = () => 1;¦ // f',
  );
});
