import { useEffect, useState } from "preact/hooks";

/** The parts of the address after `#/`, decoded. */
export type Route = readonly string[];

/** Makes the address of a view; empty parts are left out. */
export function linkTo(...parts: readonly string[]): string {
  return `#/${parts.filter(Boolean).map(encodeURIComponent).join("/")}`;
}

/** Returns the current route; the component renders again when the route changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function readRoute(): Route {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
