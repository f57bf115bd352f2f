/** One. @tool @name same */
export function one(): void {}

/** Two. @tool @name same */
export function two(): void {}

const three = (): void => {};
/** Three. @tool */
const größe = three;
export { größe };
