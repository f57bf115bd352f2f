/**
 * The functions that generated code may import, and nothing else. The list is that of
 * `plugin/emit/text/runtime-names.ts`; a test compares them. Authors import from `tenon`.
 */
export { defineTool } from "./service/tools/registry.ts";
export { byHeadStart } from "./job/limits/head-start.ts";
export { limitsOf } from "./job/limits/limits-of.ts";
export { dialect } from "./contract/validation/dialect.ts";
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
} from "./contract/validation/json-value.ts";
export {
  isEmail,
  isHostname,
  isIdnEmail,
  isIdnHostname,
  isIpv4,
  isIpv6,
} from "./contract/validation/formats/address-formats.ts";
export {
  isBase64,
  isBigIntText,
  isJsonPointer,
  isRegex,
  isRelativeJsonPointer,
  isText,
  isUuid,
} from "./contract/validation/formats/text-formats.ts";
export { isDate, isDateTime, isDuration, isTime } from "./contract/validation/formats/time-formats.ts";
export {
  isIri,
  isIriReference,
  isUri,
  isUriReference,
  isUriTemplate,
  isUrl,
} from "./contract/validation/formats/uri-formats.ts";
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
} from "./contract/validation/codecs/codecs.ts";
export { copyMatches, everyMatch } from "./contract/validation/codecs/key-patterns.ts";
export { decodeMembers, encodeFirst, encodeMembers, remember } from "./contract/validation/codecs/members.ts";
export { decodeDistinct } from "./contract/validation/codecs/decode-distinct.ts";
