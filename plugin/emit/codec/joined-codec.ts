import type { FieldModel, ObjectType } from "../../model/type.ts";
import { setText } from "../text/assignments.ts";
import { isCostly, type JoinedKey, type JoinedMembers, type Turn } from "../facts/joined-members.ts";
import { sharedText } from "../text/data-text.ts";
import { keyText } from "../text/js-text.ts";
import { readKey, type Scope } from "../text/scope.ts";
import { isOptional } from "../facts/type-facts.ts";
import { winnerText } from "./urn-winner.ts";
import { fieldCheck } from "../validator/validator.ts";

/** Returns the conversion of a field, its default included. `value`: expression for the field's value. */
type Convert = (field: FieldModel, value: string) => string;

/**
 * Generates the body of a decoder of legal objects. It copies the keys of every member that accepts the value. The
 * members' fields decide which members do; nested values are tested only if several members remain that differ in them.
 */
export function joinedDecoder(joined: JoinedMembers, convert: Convert, scope: Scope): string {
  const { accepted, statements } = acceptance(joined, "decode", scope);
  const { groups } = joined;
  if (groups.length > 1) {
    statements.push(`if(${severalLeft(joined, accepted)}){${costlyTests(joined, accepted, local, "input", scope)}}`);
  }
  return `{${[...statements, ...copies(joined, convert, accepted, "decode", scope)].join(";")};return o}`;
}

/**
 * Generates the body of an encoder. It copies the keys of every member whose encoding of the value is legal, and
 * encodes each key once. `otherwise` is the expression for a value that no member accepts.
 */
export function joinedEncoder(joined: JoinedMembers, convert: Convert, otherwise: string, scope: Scope): string {
  const { accepted, doubt, statements } = acceptance(joined, "encode", scope);
  const { groups, keys, members } = joined;
  const encodedKeys = keys.filter(({ field }) => isCostly(field, scope.definitions));
  const wire = (key: string): string => `w${keys.findIndex((entry) => entry.key === key)}`;
  for (const entry of encodedKeys) {
    const value = local(joined, entry.key);
    const asked = entry.members.map(accepted).join("||");
    statements.push(`const ${wire(entry.key)}=${value}===void 0||!(${asked})?void 0:${convert(entry.field, value)}`);
  }
  const tests = costlyTests(joined, accepted, (_, key) => wire(key), "output", scope);
  if (tests !== "") {
    // If only one group remains, the tests of its fields are skipped, since the result's validator refuses the same
    // values. This does not hold if a member was ruled out only by an optional field: that validator might still accept
    // the value as this member's.
    const several = groups.length > 1 ? severalLeft(joined, accepted) : "";
    const condition = [several, doubt].filter((text) => text !== "").join("||");
    if (condition !== "") statements.push(`if(${condition}){${tests}}`);
  }
  statements.push(`if(!(${members.map((_, index) => accepted(index)).join("||")}))return ${otherwise}`);
  if (joined.urns !== undefined) statements.push(...winnerText(joined, joined.urns, accepted, scope));
  const isEncoded = new Set(encodedKeys.map(({ key }) => key));
  const written: Convert = (field, value) => (isEncoded.has(field.key) ? wire(field.key) : value);
  const refused = `const x=${scope.helper("refuseObject")}(v);if(x)return x`;
  return `{${[refused, ...statements, ...copies(joined, written, accepted, "encode", scope)].join(";")};return o}`;
}

/** True when members of more than one group may accept the value. */
function severalLeft({ groups }: JoinedMembers, accepted: (member: number) => string): string {
  const left = groups.map(({ members }) => members.map(accepted).join("||"));
  return groups.length === 2
    ? left.map((text) => `(${text})`).join("&&")
    : `${left.map((text) => `(${text}?1:0)`).join("+")}>1`;
}

function local({ keys }: JoinedMembers, key: string): string {
  return `k${keys.findIndex((entry) => entry.key === key)}`;
}

interface Acceptance {
  readonly accepted: (member: number) => string;
  /** Expression that is true when a member was ruled out only by an optional field; empty when this cannot happen. */
  readonly doubt: string;
  readonly statements: string[];
}

/** Reads each key once, and decides by the cheap fields which members may accept the value. */
function acceptance(joined: JoinedMembers, turn: Turn, scope: Scope): Acceptance {
  const { keys, members } = joined;
  const accepted = (member: number): string => `m${member}`;
  const statements = [`const ${keys.map(({ key }, index) => `k${index}=${readKey("v", key, scope)}`).join()}`];
  const testsOf = members.map((member) => cheapTests(joined, member, turn, scope));
  const uses = new Map<string, number>();
  for (const { required, optional } of testsOf)
    for (const text of [...required, ...optional]) uses.set(text, (uses.get(text) ?? 0) + 1);
  // A test that several members need gets a variable, so that it is made once.
  const names = new Map([...uses].filter(([, count]) => count > 1).map(([text], index) => [text, `t${index}`]));
  for (const [text, name] of names) statements.push(`const ${name}=${text}`);
  const all = (texts: readonly string[]): string => texts.map((text) => names.get(text) ?? text).join("&&");
  const doubts: string[] = [];
  for (const [index, { required, optional }] of testsOf.entries()) {
    const hasDoubt = turn === "encode" && optional.length > 0;
    if (hasDoubt && required.length > 0) statements.push(`const r${index}=${all(required)}`);
    const tests = hasDoubt && required.length > 0 ? `r${index}&&${all(optional)}` : all([...required, ...optional]);
    statements.push(`let ${accepted(index)}=${tests === "" ? "!0" : tests}`);
    if (hasDoubt) doubts.push(`${required.length > 0 ? `r${index}&&` : ""}!${accepted(index)}`);
  }
  return { accepted, doubt: doubts.join("||"), statements };
}

/** Tests of a member's scalar fields, and of the presence of its other fields. */
function cheapTests(
  joined: JoinedMembers,
  member: ObjectType,
  turn: Turn,
  scope: Scope,
): { readonly required: readonly string[]; readonly optional: readonly string[] } {
  const required: string[] = [];
  const optional: string[] = [];
  if (turn === "decode" && member.urn !== undefined)
    required.push(`(v.$schema===void 0||v.$schema===${sharedText(member.urn, scope)})`);
  for (const field of member.fields) {
    const value = local(joined, field.key);
    if (!isCostly(field, scope.definitions)) {
      const text = fieldCheck(field, value, turn === "decode" ? "input" : "output", scope);
      if (text !== "") (isOptional(field) ? optional : required).push(text);
    } else if (!isOptional(field)) required.push(`${value}!==void 0`);
  }
  return { required, optional };
}

/** Statements that rule out members whose nested fields are illegal. */
function costlyTests(
  joined: JoinedMembers,
  accepted: (member: number) => string,
  value: (joined: JoinedMembers, key: string) => string,
  direction: "input" | "output",
  scope: Scope,
): string {
  const statements: string[] = [];
  for (const [index, { members, costly }] of joined.groups.entries()) {
    const texts = costly
      .map((field) => fieldCheck(field, value(joined, field.key), direction, scope))
      .filter((text) => text !== "");
    if (texts.length === 0) continue;
    statements.push(`const c${index}=!(${members.map(accepted).join("||")})||${texts.join("&&")}`);
    statements.push(...members.map((member) => `${accepted(member)}=${accepted(member)}&&c${index}`));
  }
  return statements.join(";");
}

/** Statements that create `o` with the keys of all accepting members. */
function copies(
  joined: JoinedMembers,
  convert: Convert,
  accepted: (member: number) => string,
  turn: Turn,
  scope: Scope,
): readonly string[] {
  const { members, keys, urns } = joined;
  const isFilled = ({ field }: JoinedKey): boolean => turn === "decode" && field.default !== undefined;
  const copied = keys.filter(({ isBarred }) => !isBarred);
  const isCommon = (entry: JoinedKey): boolean =>
    entry.members.length === members.length &&
    (isFilled(entry) ||
      members.every(({ fields }) => fields.some((field) => field.key === entry.key && !isOptional(field))));
  const common = copied.filter(isCommon);
  const literal = common.map((entry) => `${keyText(entry.key)}:${convert(entry.field, local(joined, entry.key))}`);
  const statements = copied
    .filter((entry) => !isCommon(entry))
    .map((entry) => {
      const value = local(joined, entry.key);
      const has = entry.members.length === members.length ? "" : `(${entry.members.map(accepted).join("||")})`;
      const isThere = isFilled(entry) ? "" : `${value}!==void 0`;
      const condition = [isThere, has].filter((text) => text !== "").join("&&");
      return `if(${condition})${setText(entry.key, convert(entry.field, value), scope)}`;
    });
  const schema = urns === undefined ? [] : [`$schema:${urnsName(urns, scope)}[w]`];
  return [`const o={${[...schema, ...literal].join()}}`, ...statements];
}

function urnsName(urns: readonly string[], scope: Scope): string {
  const list = `[${urns.map((urn) => sharedText(urn, scope)).join()}]`;
  return scope.constant(`list:${list}`, "urns", () => list);
}
