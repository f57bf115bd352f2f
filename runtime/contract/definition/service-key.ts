/** The key of a service by its name, as the platform and `/queue` use it: letters, digits and hyphens. */
export function serviceKey(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 60).replaceAll(/^-+|-+$/g, "") || "service";
}
