const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;
const timePattern = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
const durationPattern = /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339 full-date, a day that exists. */
export function isDate(value: unknown): boolean {
  const match = typeof value === "string" && value.length === 10 ? datePattern.exec(value) : null;
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (leap ? 29 : (monthLengths[month - 1] ?? 0));
}

/** RFC 3339 full-time with an offset; second 60 only where UTC is 23:59. */
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

/** RFC 3339 date-time: a date, `T` or `t`, a time with an offset. */
export function isDateTime(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (value[10] === "T" || value[10] === "t") &&
    isDate(value.slice(0, 10)) &&
    isTime(value.slice(11))
  );
}

/** RFC 3339 appendix A duration, for example `P3DT4H`. */
export function isDuration(value: unknown): boolean {
  return typeof value === "string" && durationPattern.test(value);
}
