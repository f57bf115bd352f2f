import type { Finding } from "./finding.ts";

/**
 * Holds the changes of models against their URNs. A model with a change that breaks needs another URN: without one, a
 * finding says so and how. A URN that did change says what the other findings show; alone, it breaks those who send it.
 */
export function judgeUrns(found: readonly Finding[]): readonly Finding[] {
  const broken = found.filter(({ severity, rule }) => severity === "breaking" && rule !== "urn-changed");
  const rest = found.flatMap((one): readonly Finding[] => {
    if (one.rule !== "urn-changed") return [one];
    const model = modelOf(one);
    const isMeant = broken.some((other) => other.tool === one.tool && isWithin(other.place, model));
    if (!isMeant) return [one];
    const { witness: _, ...told } = one;
    // One of the two directions says it.
    return one.severity === "breaking" ? [{ ...told, severity: "additive" }] : [];
  });
  return [...rest, ...unchangedUrns(broken)];
}

/** Models with a change that breaks, by the URN that they still have. */
function unchangedUrns(broken: readonly Finding[]): readonly Finding[] {
  const stale = new Map<string, Finding>();
  for (const { tool, place, urns = [], witness } of broken) {
    for (const urn of urns) {
      if (stale.has(urn) || witness === undefined) continue;
      stale.set(urn, {
        severity: "breaking",
        tool,
        place: place.split(" ")[0] ?? place,
        rule: "urn-unchanged",
        message: `the model changed, and its URN is still ${urn}`,
        fix: `change it to ${nextUrn(urn)}`,
        witness,
        urns: [urn],
      });
    }
  }
  return [...stale.values()];
}

/** Place of the model that a URN stands in. */
function modelOf({ place }: Finding): string {
  return place.replace(/\/?\$schema$/, "").trimEnd();
}

function isWithin(place: string, model: string): boolean {
  return place === model || place.startsWith(`${model} /`) || place.startsWith(`${model}/`);
}

/** The URN with the next number; the second, where it has none. */
export function nextUrn(urn: string): string {
  const number = /(?<=[.:_-])\d+$/.exec(urn);
  return number === null ? `${urn}.2` : urn.slice(0, number.index) + String(Number(number[0]) + 1);
}
