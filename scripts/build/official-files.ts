/** A file of the package that the build makes a bundle of. */
export interface OfficialFile {
  /** Relative to `dist`; the one file of the runtime that names the packages. */
  readonly name: string;
  /** Packages that stay packages. */
  readonly shared: readonly string[];
  readonly minify: boolean;
  /** Beginning of its notice. */
  readonly note: string;
}

export const officialFiles: readonly OfficialFile[] = [
  {
    name: "runtime/telemetry/sdk/official.js",
    // Its copy is shared with the author's code.
    shared: ["@opentelemetry/api"],
    minify: false,
    note: "Parts of these packages, unchanged. Copyright The OpenTelemetry Authors, Apache-2.0 (see LICENSE).",
  },
  {
    name: "runtime/client/mcp/official.js",
    shared: [],
    // It would be 1 MB.
    minify: true,
    note: "Parts of these packages, minified, under Apache-2.0 (see LICENSE) where the MIT licences below do not apply.",
  },
];
