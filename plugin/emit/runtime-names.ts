/**
 * Everything that generated code may import from `tenon/internal`. The runtime exports exactly these names, and a test
 * compares the two lists.
 */
export const runtimeNames = [
  "defineTool", "dialect",
  // questions about wire values
  "isObject", "isArray", "isInteger", "isNumber", "own", "textLength", "isWithin", "isMultiple", "isUnique", "everyOther", "everyFrom", "setOf",
  // formats
  "isBase64", "isBigIntText", "isDate", "isDateTime", "isDuration", "isEmail", "isHostname", "isIdnEmail", "isIdnHostname", "isIpv4",
  "isIpv6", "isIri", "isIriReference", "isJsonPointer", "isRegex", "isRelativeJsonPointer", "isText", "isTime", "isUri",
  "isUriReference", "isUriTemplate", "isUrl", "isUuid",
  // codecs
  "decodeBigInt", "decodeBuffer", "decodeBytes", "decodeDate", "decodeMap", "decodeSet", "decodeUrl",
  "encodeArray", "encodeBigInt", "encodeBytes", "encodeDate", "encodeMap", "encodeSet", "encodeUrl", "encodeRecursive",
  "refuseObject", "copyKeys", "copyOthers", "setKey", "trimTuple",
  // unions
  "decodeMembers", "encodeFirst", "encodeMembers", "remember",
] as const;

export type RuntimeName = (typeof runtimeNames)[number];
