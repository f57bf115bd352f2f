const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4Pattern = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const hextetPattern = /^[0-9a-f]{1,4}$/i;
const hostLabelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const idnLabelPattern =
  /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\-\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]*[\p{L}\p{N}\p{M}\u05f3\u05f4\u30fb])?$/u;
const localPattern = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const idnLocalPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+)*$/iu;
const quotedLocalPattern = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;

/** True for an IPv4 address: dotted decimal without leading zeros. */
export function isIpv4(value: unknown): boolean {
  return typeof value === "string" && value.length <= 15 && ipv4Pattern.test(value);
}

/** True for an IPv6 address: RFC 4291 text, also with a dotted tail; no zone, no brackets. */
export function isIpv6(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 45) return false;
  const halves = value.split("::");
  if (halves.length > 2) return false;
  const [head = "", tail] = halves;
  const groups = [...groupsOf(head), ...groupsOf(tail ?? "")];
  const dotted = groups.at(-1)?.includes(".") === true;
  // The dotted part must be at the end of the whole text, not at the end of the half before `::`.
  if (dotted && !value.endsWith(groups.at(-1) ?? "")) return false;
  const count = groups.length + (dotted ? 1 : 0);
  if (tail === undefined ? count !== 8 : count > 7) return false;
  return groups.every((group, index) =>
    dotted && index === groups.length - 1 ? isIpv4(group) : hextetPattern.test(group),
  );
}

function groupsOf(half: string): readonly string[] {
  return half === "" ? [] : half.split(":");
}

/** True for an RFC 1123 host name of at most 253 characters, without a trailing dot. */
export function isHostname(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= 253 && value.split(".").every((label) => hostLabelPattern.test(label))
  );
}

/** True for a host name whose labels may contain letters, digits and marks of any script. */
export function isIdnHostname(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 253) return false;
  return value
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => label.length <= 63 && !isReservedLabel(label) && idnLabelPattern.test(label));
}

function isReservedLabel(label: string): boolean {
  return label.slice(2, 4) === "--" && !/^xn--[a-z0-9-]*[a-z0-9]$/i.test(label);
}

/** True for an RFC 5321 mailbox of at most 254 characters; the domain has a dot or is an address in brackets. */
export function isEmail(value: unknown): boolean {
  return isMailbox(value, localPattern, isHostname);
}

/** True for a mailbox that may contain letters of any script on both sides. */
export function isIdnEmail(value: unknown): boolean {
  return isMailbox(value, idnLocalPattern, isIdnHostname);
}

function isMailbox(value: unknown, local: RegExp, isDomain: (text: string) => boolean): boolean {
  if (typeof value !== "string" || value.length > 254) return false;
  const at = value.lastIndexOf("@");
  const name = value.slice(0, at);
  const domain = value.slice(at + 1);
  if (at < 1 || name.length > 64 || !(local.test(name) || quotedLocalPattern.test(name))) return false;
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1);
    return isIpv4(address) || (/^ipv6:/i.test(address) && isIpv6(address.slice(5)));
  }
  return /[.\u3002\uff0e\uff61]/.test(domain) && isDomain(domain);
}
