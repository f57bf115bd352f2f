/**
 * Takes a list.
 * @prompt
 * @param names - Names.
 */
export function list(names: string[]): string {
  return names.join();
}

/**
 * Takes anything.
 * @prompt
 */
export function anything(all: Record<string, string>): string {
  return String(all);
}

/**
 * Gives data.
 * @prompt
 */
export function data(): { a: number } {
  return { a: 1 };
}

/**
 * Has no address.
 * @resource
 */
export function nowhere(): string {
  return "";
}

/**
 * Has an address of another form.
 * @resource notes://{id*}
 * @param id - Id.
 */
export function exploded(id: string): string {
  return id;
}

/**
 * Has a variable too many, and a parameter too many.
 * @resource notes://{id}
 * @param name - Name.
 */
export function other(name: string): string {
  return name;
}

/**
 * Gives nothing, and describes itself badly.
 * @resource notes://nothing
 * @mimeType markdown
 * @audience everybody
 * @priority high
 */
export function nothing(): void {}
