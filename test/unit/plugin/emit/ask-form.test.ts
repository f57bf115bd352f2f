import { join } from "node:path";
import { expect, test } from "vitest";
import { insertAsks } from "../../../../plugin/emit/ask-form.ts";
import { openProject } from "../../../support/open-project.ts";

test("each question gets the form of its type, behind its last argument", () => {
  const folder = join(import.meta.dirname, "../../../golden");
  const project = openProject({ root: folder, rules: { "missing-field-text": "off" } });
  const { module } = project.read(join(folder, "questions/tool.ts"));
  project.dispose();
  const texts = insertAsks(module.asks ?? []).map(({ text }) => text);
  const color = { type: "string", enum: ["red", "green"] };
  expect(texts).toEqual([
    `,${JSON.stringify({
      schema: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 50, description: "Your name." },
          mail: { type: "string", format: "email", description: "Your mail address." },
          age: { type: "integer", minimum: 0, maximum: 150, description: "Your age.", default: 18 },
          color: { ...color, description: "Your colour." },
          others: { type: "array", items: color, maxItems: 2, description: "Your other colours." },
          sure: { type: "boolean", title: "Sure?", description: "Whether you are sure." },
        },
        required: ["name", "color", "others", "sure"],
      },
    })}`,
    ',void 0,{"schema":{"type":"object","properties":{"answer":{"type":"boolean"}},"required":["answer"]},"single":true}',
    ',void 0,{"schema":{"type":"object","properties":{"answer":{"type":"string","enum":["red","green"]}},"required":["answer"]},"single":true}',
  ]);
});
