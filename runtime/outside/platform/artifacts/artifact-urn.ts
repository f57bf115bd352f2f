const prefix = "urn:platform:artifact:";
const form = /^urn:platform:artifact:[\w.~:@%+-]{1,200}$/;

/**
 * The name of a stored file, `urn:platform:artifact:<id>`. Use it in a request instead of a path, and in a result
 * instead of large content. Any string can be assigned to it. The schema has the pattern, so a caller's value is
 * checked before the tool runs.
 */
export type ArtifactUrn = string & {
  // The form of typia's type tags, which the plugin reads; it costs no dependency.
  readonly "typia.tag"?: {
    readonly target: "string";
    readonly kind: "pattern";
    readonly value: "^urn:platform:artifact:[A-Za-z0-9_.~:@%+\\-]{1,200}$";
  };
};

/** True for the URN of an artifact, whether or not it exists. */
export function isArtifactUrn(value: unknown): value is ArtifactUrn {
  return typeof value === "string" && form.test(value);
}

/** Returns the id of an artifact: the part of its URN after the prefix. */
export function artifactId(urn: ArtifactUrn): string {
  return urn.slice(prefix.length);
}

/** Makes the URN of an artifact from its id. */
export function artifactUrn(id: string): ArtifactUrn {
  return prefix + id;
}
