import type { MagicString } from "magic-string";
import type { DefaultTreeAdapterTypes } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;

/** The value of an attribute. `href` is also `xlink:href` of older pictures. */
export function valueOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

/** Replaces the value of an attribute, if the element has it and `change` returns another one. */
export function changeAttribute(
  text: MagicString,
  { attrs, sourceCodeLocation }: Element,
  { name, change }: { readonly name: string; readonly change: (value: string) => string },
): void {
  const attribute = attrs.find((one) => one.name === name);
  if (attribute === undefined) return;
  const written = attribute.prefix ? `${attribute.prefix}:${name}` : name;
  const place = sourceCodeLocation?.attrs?.[written];
  const changed = change(attribute.value);
  if (place === undefined || changed === attribute.value) return;
  const quoted = changed.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  text.overwrite(place.startOffset, place.endOffset, `${written}="${quoted}"`);
}

/** The attributes of an element as they are written, except some. */
export function attributesExcept(source: string, { sourceCodeLocation }: Element, names: readonly string[]): string {
  return Object.entries(sourceCodeLocation?.attrs ?? {})
    .filter(([name]) => !names.includes(name))
    .map(([, { startOffset, endOffset }]) => ` ${source.slice(startOffset, endOffset)}`)
    .join("");
}

/** Replaces the addresses of a `srcset`: texts without blanks, each before an optional size and a comma. */
export function changeSourceSet(value: string, change: (address: string) => string): string {
  return value.replace(
    /([^\s,](?:\S*[^\s,])?)([^,]*)/g,
    (_, address: string, size: string) => `${change(address)}${size}`,
  );
}
