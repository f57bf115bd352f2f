import { sharedText } from "../text/data-text.ts";
import type { JoinedMembers } from "../facts/joined-members.ts";
import type { Scope } from "../text/scope.ts";
import { isOptional } from "../facts/type-facts.ts";

/**
 * Statements that leave one of the accepting members, `w`, if all members have URNs: the member that the value names,
 * else the first member that declares most of its keys.
 */
export function winnerText(
  { members, keys }: JoinedMembers,
  urns: readonly string[],
  accepted: (member: number) => string,
  scope: Scope,
): readonly string[] {
  const named = urns.map((urn, index) => `${accepted(index)}&&s===${sharedText(urn, scope)}?${index}:`).join("");
  const counted = members.map(({ fields }, index) => {
    const optional = fields
      .filter(isOptional)
      .map(({ key }) => `(k${keys.findIndex((entry) => entry.key === key)}!==void 0?1:0)`);
    const known = [String(fields.length - optional.length), ...optional].join("+");
    return `if(${accepted(index)}&&(n=${known})>b){b=n;w=${index}}`;
  });
  return [
    `const s=v.$schema`,
    `let w=${named}-1`,
    `if(w<0){let b=-1,n;${counted.join("")}}`,
    ...members.map((_, index) => `${accepted(index)}=w===${index}`),
  ];
}
