/** Version of this package. A test compares it with package.json, which a bundle does not contain. */
export const tenonVersion: string = "0.1.0";
