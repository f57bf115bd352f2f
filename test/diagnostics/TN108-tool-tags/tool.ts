/**
 * Has bad tags.
 * @tool
 * @name not a name
 * @title
 * @path no-slash
 * @icon icon.png
 * @timeout soon
 * @timeout 5s
 * @task sometimes
 * @category
 * @scope notes"write
 * @inputSchema
 */
export function bad(): void {}

/** Has a taken path. @tool @path /jobs/mine @readonly @destructive */
export function taken(): void {}

/** Has no scope. @tool @scope */
export function unscoped(): void {}

/** Has a reserved path. @tool @path /.well-known/x */
export function reserved(): void {}

/** Has a parameter in its path. @tool @path /things/:id */
export function parameter(): void {}
