const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;
const timePattern = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
const durationPattern = /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for an RFC 3339 full-date that exists in the calendar. */
export function isDate(value: unknown): boolean {
  const match = typeof value === "string" && value.length === 10 ? datePattern.exec(value) : null;
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (leap ? 29 : (monthLengths[month - 1] ?? 0));
}

/** True for an RFC 3339 full-time with an offset; second 60 only if it is 23:59 in UTC. */
export function isTime(value: unknown): boolean {
  const match = typeof value === "string" ? timePattern.exec(value) : null;
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

/**
 * True for an RFC 3339 date-time: a date, `T` or `t`, and a time with an offset. The year must be from 0000 to 9999,
 * also after conversion to UTC.
 */
export function isDateTime(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (value[10] === "T" || value[10] === "t") &&
    isDate(value.slice(0, 10)) &&
    isTime(value.slice(11)) &&
    staysInYears(value)
  );
}

/**
 * True if the year in UTC is from 0000 to 9999. It can only differ on the first and the last day, by the offset or a
 * leap second.
 */
function staysInYears(text: string): boolean {
  const day = text.slice(0, 10);
  if (day !== "0000-01-01" && day !== "9999-12-31") return true;
  const [, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] = timePattern.exec(text.slice(11)) ?? [];
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  return day === "0000-01-01" ? minutes >= 0 : minutes < 1440 && second !== "60";
}

/** True for an RFC 3339 appendix A duration, for example `P3DT4H`. */
export function isDuration(value: unknown): boolean {
  return typeof value === "string" && durationPattern.test(value);
}
