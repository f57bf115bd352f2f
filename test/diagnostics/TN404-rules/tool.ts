/** Fine. @tool */
export function fine(): void {}
