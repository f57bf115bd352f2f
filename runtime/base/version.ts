/** The version of this package; a test compares it with package.json, which a bundle does not have. */
export const tenonVersion: string = "0.1.0";
