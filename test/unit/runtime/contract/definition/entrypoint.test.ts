import { describe, expect, test } from "vitest";
import { dockerfileEntrypoint } from "../../../../../runtime/contract/definition/dockerfile.ts";
import { parseEntrypoint } from "../../../../../runtime/contract/definition/entrypoint.ts";
import { processorTime } from "../../../../support/processor-time.ts";

describe("ENTRYPOINT", () => {
  test.each<[string, readonly string[]]>([
    ['["node", "dist/service.js"]', ["node", "dist/service.js"]],
    ["['node', 'dist/service.js']", ["node", "dist/service.js"]],
    ["['node',]", ["node"]],
    ["[ 'a' 'b', \"c\" ]", ["ab", "c"]],
    ["['a\\'b', \"a\\\"b\", r'a\\nb', u'x', '\\x41\\u00e9\\U0001F600\\n']", ["a'b", 'a"b', "a\\nb", "x", "Aé😀\n"]],
    ["['''a\nb''']", ["a\nb"]],
    ["['a, ]b']", ["a, ]b"]],
    ["['\\d']", ["\\d"]],
    ["node dist/service.js", ["node dist/service.js"]],
    ["  /usr/bin/run ", ["/usr/bin/run"]],
    ["'node x'", ["node x"]],
    ['"node"', ["node"]],
  ])("%j is %j", (text, command) => expect(parseEntrypoint(text)).toEqual({ command }));

  test.each<[string, string]>([
    ["", "ENTRYPOINT is empty"],
    ["[]", "ENTRYPOINT is not a list of strings: it is empty"],
    ["['a'", "ENTRYPOINT is not a list of strings: the closing bracket is missing"],
    ["['a' 1]", "ENTRYPOINT is not a list of strings: a comma is missing after item 1"],
    ["['a', 1]", "ENTRYPOINT is not a list of strings: item 2 is not a string"],
    ["[['a']]", "ENTRYPOINT is not a list of strings: item 1 is not a string"],
    ["['a'] + x", "ENTRYPOINT is not a list of strings: there is text after the list"],
    ["['a", "ENTRYPOINT is not a list of strings: a string has no closing quote"],
    ["['a\nb']", "ENTRYPOINT is not a list of strings: a string runs over the end of its line"],
    ["['\\UFFFFFFFF']", "ENTRYPOINT is not a list of strings: the escape \\UFFFFFFFF is not a character"],
    ["[__import__('os')]", "ENTRYPOINT is not a list of strings: item 1 is not a string"],
    [
      "__import__('os')",
      'ENTRYPOINT is neither a list such as ["node","dist/service.js"] nor a plain command, and code is not evaluated',
    ],
    [
      "('node',)",
      'ENTRYPOINT is neither a list such as ["node","dist/service.js"] nor a plain command, and code is not evaluated',
    ],
    ["'node' x", "ENTRYPOINT is not a string literal: there is text after it"],
  ])("%j is an error", (text, error) => expect(parseEntrypoint(text)).toEqual({ error }));

  test("takes linear time", () => {
    const start = processorTime();
    parseEntrypoint(`[${"'a' ".repeat(200_000)}`);
    parseEntrypoint(`['${"\\\\".repeat(500_000)}`);
    expect(processorTime() - start).toBeLessThan(2000);
  });
});

describe("a Dockerfile", () => {
  test.each<[string, string, readonly string[] | undefined]>([
    ["exec form", 'FROM node\nENTRYPOINT ["node", "a.js"]\n', ["node", "a.js"]],
    ["shell form", "FROM node\nENTRYPOINT node a.js --x", ["/bin/sh", "-c", "node a.js --x"]],
    ["the last one", 'ENTRYPOINT ["a"]\nENTRYPOINT ["b"]', ["b"]],
    ["lower case and blanks", '  entrypoint\t["a"]  ', ["a"]],
    ["continued lines with comments inside", 'ENTRYPOINT [ \\\n  # a comment\n\n  "a", \\\r\n  "b" ]', ["a", "b"]],
    ["the escape directive", '# escape=`\nENTRYPOINT ["a", `\n"C:\\\\b"]', ["a", "C:\\b"]],
    ["no directive below the first line", '\nFROM x\n# escape=`\nENTRYPOINT ["a", \\\n"b"]', ["a", "b"]],
    ["a comment", '# ENTRYPOINT ["x"]\nCMD ["y"]', undefined],
    ["an emptied one", 'ENTRYPOINT ["a"]\nENTRYPOINT []', undefined],
    ["none", "FROM node\nRUN echo ENTRYPOINT", undefined],
    ["another stage's trigger", 'ONBUILD ENTRYPOINT ["x"]', undefined],
    [
      "a here-document",
      'RUN <<EOF\nENTRYPOINT ["x"]\nEOF\nENTRYPOINT ["a"]\nCOPY <<-"END" /x\nENTRYPOINT ["y"]\n\tEND\n',
      ["a"],
    ],
    ["a here-document without end", 'RUN <<EOF\nENTRYPOINT ["a"]', ["a"]],
    ["single quotes, which Docker gives to the shell", "ENTRYPOINT ['a', 'b']", ["/bin/sh", "-c", "['a', 'b']"]],
    ["a list that holds a number", 'ENTRYPOINT ["a", 1]', ["/bin/sh", "-c", '["a", 1]']],
    ["an open line at the end", 'ENTRYPOINT ["a", \\', ["/bin/sh", "-c", '["a",']],
    ["ENTRYPOINTS is another word", 'ENTRYPOINTS ["a"]', undefined],
  ])("%s", (_name, text, command) => expect(dockerfileEntrypoint(text)).toEqual(command));
});
