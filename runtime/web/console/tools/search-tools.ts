import type { Entry } from "./entries.ts";

/** Words of a question that do not say what is searched. */
const idle = /^(?:which|what|tools?|that|can|do|does|is|an?|the)$/;

/** The tools with all words of a search: in their texts, in the names of their groups, or as kinds of their results. */
export function searchTools(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search.toLowerCase().split(/\s+/);
  const said = words.filter((word) => !idle.test(word));
  return entries.flatMap((entry) => {
    const { service, tool, kinds } = entry;
    const text = `${tool.name} ${tool.title ?? ""} ${service.name} ${tool.description.slice(0, 5000)}`.toLowerCase();
    const whys = (said.length > 0 ? said : words).map((word) => {
      const stem = word.replace(/(?<=..)s$/, "");
      if (text.includes(stem)) return "";
      if (tool.category?.toLowerCase().includes(stem)) return `in ${tool.category}`;
      const kind = stem.length > 2 && kinds.find(({ words }) => ` ${words}`.includes(` ${stem}`));
      return kind ? `${kind.isPossible ? "may return" : "returns"} ${kind.name}` : undefined;
    });
    return whys.includes(undefined) ? [] : [{ ...entry, why: [...new Set(whys)].filter(Boolean).join(", ") }];
  });
}
