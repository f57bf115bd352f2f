const low = "`@minimum` for a number, `@minLength` for a text or `@minItems` for a list";
const high = "`@maximum` for a number, `@maxLength` for a text or `@maxItems` for a list";
const literals = 'a union of literals as the type, such as `"a" | "b"`';
const fromType = "nothing: the type of the field says so";

/**
 * Tags and decorators of class-validator, tsoa, zod, typia, OpenAPI and JSON Schema that have another name in tenon, in
 * lower case and without a leading `is`, with their replacement.
 */
const synonyms: ReadonlyMap<string, string> = new Map(
  [
    [low, "min minvalue gte ge atleast minsize arrayminsize mindate"],
    [high, "max maxvalue lte le atmost maxsize arraymaxsize maxdate"],
    ["`@exclusiveMinimum`", "gt greaterthan morethan exclusivemin above"],
    ["`@exclusiveMaximum`", "lt lessthan exclusivemax below"],
    ["`@exclusiveMinimum 0`", "positive"],
    ["`@exclusiveMaximum 0`", "negative"],
    ["`@minimum 0`", "nonnegative"],
    ["`@maximum 0`", "nonpositive"],
    ["`@minimum` and `@maximum`", "range between"],
    ["`@multipleOf`", "multiple step divisibleby"],
    [
      "`@minLength` and `@maxLength` for a text, `@minItems` and `@maxItems` for a list",
      "length len size bytelength arraylength",
    ],
    ["`@minLength`", "minlen minchars"],
    ["`@maxLength`", "maxlen maxchars"],
    ["`@minLength 1` for a text, `@minItems 1` for a list", "nonempty notempty arraynotempty arraynonempty"],
    ["`@uniqueItems`", "unique arrayunique distinct"],
    [
      "`@pattern`",
      "regex regexp match matches startswith endswith contains alpha alphanumeric mobilephone phonenumber",
    ],
    ["`@type integer`", "int integer"],
    ["`@type int32`", "int32"],
    ["`@type uint32`", "uint32"],
    ["`@type int64`", "int64 long"],
    ["`@type uint64`", "uint64"],
    ["`@type float`", "float"],
    ["`@type double`", "double decimal"],
    ["`@format email`", "email"],
    ["`@format uri`", "url uri"],
    ["`@format uuid`", "uuid guid"],
    ["`@format ipv4` or `@format ipv6`", "ip ipaddress"],
    ["`@format ipv4`", "ipv4"],
    ["`@format ipv6`", "ipv6"],
    ["`@format hostname`", "hostname fqdn"],
    ["`@format byte`, or the type `Uint8Array`", "base64"],
    ["`@format date`, `@format date-time`, or the type `Date`", "date datetime datestring iso8601 rfc3339 timestamp"],
    ["`@format time`", "time"],
    [literals, "enum in oneof anyof allowed allowedvalues values"],
    ["a literal as the type, such as `5`", "const constant equals"],
    ["`?` behind the name of a field that may be missing, and nothing for others", "required optional defined"],
    ["`| null` in the type", "nullable nullish"],
    [fromType, "string number boolean bool array object str"],
    ["the keys as fields of the type", "items additionalproperties minproperties maxproperties properties"],
    ["the shorter text above the tags", "describe"],
    ["`@internal` to leave the field out", "writeonly omit exclude"],
    ["`@name`", "operationid"],
    ["`@path`", "route endpoint"],
    ["`@scope`", "security scopes permission permissions roles"],
    ["`@readonly`", "readonlyhint"],
    ["`@destructive`", "destructivehint"],
    ["`@idempotent`", "idempotenthint"],
    ["`@openWorld`", "openworldhint"],
  ].flatMap(([ours = "", names = ""]) => names.split(" ").map((name): [string, string] => [name, ours])),
);

/** Tags of JSDoc that describe code, unless they have a value as in JSON Schema. */
export const ambiguousTags: ReadonlySet<string> = new Set(["enum", "const", "constant"]);

/** The replacement for a tag of another tool; undefined for other tags. */
export function synonymOf(name: string): string | undefined {
  const bare = name.toLowerCase().replace(/^x-/, "");
  return synonyms.get(bare) ?? synonyms.get(bare.replace(/^is(?=.)/, ""));
}
