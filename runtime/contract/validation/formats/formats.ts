import { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6 } from "./address-formats.ts";
import { isBase64, isJsonPointer, isRegex, isRelativeJsonPointer, isText, isUuid } from "./text-formats.ts";
import { isDate, isDateTime, isDuration, isTime } from "./time-formats.ts";
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate, isUrl } from "./uri-formats.ts";

/**
 * All string formats by their JSON Schema names, used by the generated validators and the problem report. Each takes
 * time linear in the text. A format checks the form of a text; it is never a safety check.
 *
 * Differences from ajv-formats:
 *
 * | Format | ajv-formats | here |
 * |---|---|---|
 * | `date-time` | also a blank instead of `T` | `T` or `t` only |
 * | `time`, `date-time` | offsets `+05` and `+0530` | `+05:30` only, as RFC 3339 |
 * | `uuid` | also `urn:uuid:…` | the 36 characters |
 * | `hostname` | a trailing dot | none |
 * | `email` | dotted atoms only | also a quoted name and an address in brackets; at most 254 characters |
 * | `uri` | RFC 3986 with a path that is not empty | RFC 3986 and `URL.canParse`, so that it can be decoded; host part
 * of at most 320 characters |
 * | `url` | a public host with a top-level domain (quadratic) | any host: `localhost` and private addresses are URLs |
 * | `uri-template` | no dots in names | names with dots, as RFC 6570 |
 * | `byte` | line ends allowed | one run of base64 with padding |
 * | `regex` | any length, no flag | flag `u`, as `pattern` has it; at most 1000 characters |
 * | `uri-reference` | a colon in the first segment of a relative path | RFC 3986, which refuses it |
 * | `idn-email`, `idn-hostname`, `iri`, `iri-reference` | not there | as described at each function |
 */
export const formats: Readonly<Record<string, (value: unknown) => boolean>> = {
  byte: isBase64,
  password: isText,
  regex: isRegex,
  uuid: isUuid,
  email: isEmail,
  hostname: isHostname,
  "idn-email": isIdnEmail,
  "idn-hostname": isIdnHostname,
  iri: isIri,
  "iri-reference": isIriReference,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  "uri-reference": isUriReference,
  "uri-template": isUriTemplate,
  url: isUrl,
  "date-time": isDateTime,
  date: isDate,
  time: isTime,
  duration: isDuration,
  "json-pointer": isJsonPointer,
  "relative-json-pointer": isRelativeJsonPointer,
};
