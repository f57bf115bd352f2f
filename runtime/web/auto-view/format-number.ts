/** Formats a number with the separators of a language: a whole number exactly, any other with 12 digits. */
export function formatNumber(value: number, locale: string | undefined): string {
  const digits = Number.isInteger(value) ? {} : { maximumSignificantDigits: 12 };
  return new Intl.NumberFormat(locale, digits).format(value);
}
