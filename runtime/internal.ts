/**
 * What generated code may import, and nothing else. The list is the one of `plugin/emit/runtime-names.ts`; a test compares
 * them. Authors import from `tenon`.
 */
export { defineTool } from "./registry.ts";
export { dialect } from "./validation/dialect.ts";
export {
  everyFrom,
  everyOther,
  isArray,
  isInt32,
  isInteger,
  isMultiple,
  isNumber,
  isObject,
  isUint32,
  isUnique,
  isWithin,
  own,
  setOf,
  textLength,
} from "./validation/json-value.ts";
export { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6 } from "./validation/address-formats.ts";
export {
  isBase64,
  isBigIntText,
  isJsonPointer,
  isRegex,
  isRelativeJsonPointer,
  isText,
  isUuid,
} from "./validation/text-formats.ts";
export { isDate, isDateTime, isDuration, isTime } from "./validation/time-formats.ts";
export { isIri, isIriReference, isUri, isUriReference, isUriTemplate, isUrl } from "./validation/uri-formats.ts";
export {
  copyKeys,
  copyOthers,
  decodeBigInt,
  decodeBuffer,
  decodeBytes,
  decodeDate,
  decodeMap,
  decodeSet,
  decodeUrl,
  encodeArray,
  encodeBigInt,
  encodeBytes,
  encodeDate,
  encodeMap,
  encodeRecursive,
  encodeSet,
  encodeUrl,
  refuseObject,
  setKey,
  trimTuple,
} from "./validation/codecs.ts";
export { copyMatches, everyMatch } from "./validation/key-patterns.ts";
export { decodeMembers, encodeFirst, encodeMembers, remember } from "./validation/members.ts";
