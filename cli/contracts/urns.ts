import type { Finding } from "./finding.ts";

/**
 * Checks whether changed models have new URNs. A model with a breaking change needs a new URN. If it has none, a
 * finding says so and suggests the next one. If a changed URN comes with other findings, it is not reported as breaking
 * again; without other findings, it breaks callers that send the URN.
 */
export function judgeUrns(found: readonly Finding[]): readonly Finding[] {
  const broken = found.filter(({ severity, rule }) => severity === "breaking" && rule !== "urn-changed");
  const rest = found.flatMap((one): readonly Finding[] => {
    if (one.rule !== "urn-changed") return [one];
    const model = modelOf(one);
    const isMeant = broken.some((other) => other.tool === one.tool && isWithin(other.place, model));
    if (!isMeant) return [one];
    const { witness: _, ...told } = one;
    // A URN is reported once, in one of the two directions.
    return one.severity === "breaking" ? [{ ...told, severity: "additive" }] : [];
  });
  return [...rest, ...unchangedUrns(broken)];
}

/** Models with a breaking change, by their unchanged URN. */
function unchangedUrns(broken: readonly Finding[]): readonly Finding[] {
  const stale = new Map<string, Finding>();
  for (const { tool, place, urns = [], witness } of broken) {
    for (const urn of urns) {
      if (stale.has(urn) || witness === undefined) continue;
      stale.set(urn, {
        severity: "breaking",
        tool,
        place: place.replace(/ \/.*/, ""),
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

/** Place of the model that has a URN. */
function modelOf({ place }: Finding): string {
  return place.replace(/\/?\$schema$/, "").trimEnd();
}

function isWithin(place: string, model: string): boolean {
  return place === model || place.startsWith(`${model} /`) || place.startsWith(`${model}/`);
}

/** The URN with the next number; number 2 if it has none. */
export function nextUrn(urn: string): string {
  const number = /(?<=[.:_-])\d+$/.exec(urn);
  return number === null ? `${urn}.2` : urn.slice(0, number.index) + String(Number(number[0]) + 1);
}
