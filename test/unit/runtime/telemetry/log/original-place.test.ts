import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { default as MagicText } from "magic-string";
import { expect, test } from "vitest";
import { originalPlace } from "../../../../../runtime/telemetry/log/original-place.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

test("a place of a bundle becomes the author's by its source map, and stays where there is none", () => {
  const folder = temporaryFolder();
  const bundle = join(folder, "service.mjs");
  const text = new MagicText('import "x";\nloggingInit();\n').prepend("banner();\nbanner();\n");
  const map = text.generateMap({ source: "../src/service.ts", hires: true });
  const at = { path: bundle, line: 4, column: 1 };
  const written = { path: join(folder, "../src/service.ts"), line: 2 };
  writeFileSync(bundle, text.toString());
  expect(originalPlace(at)).toEqual(at);
  writeFileSync(bundle, `${text.toString()}//# sourceMappingURL=service.mjs.map\n`);
  expect(originalPlace(at)).toEqual(at);
  writeFileSync(`${bundle}.map`, map.toString());
  expect(originalPlace(at)).toEqual(written);
  writeFileSync(`${bundle}.map`, "{");
  expect(originalPlace(at)).toEqual(at);
  writeFileSync(bundle, `${text.toString()}//# sourceMappingURL=${map.toUrl()}\n`);
  expect(originalPlace(at)).toEqual(written);
  expect(originalPlace({ ...at, path: join(folder, "gone.mjs") })).toEqual({ ...at, path: join(folder, "gone.mjs") });
});
