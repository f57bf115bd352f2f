/**
 * Deletes a thing.
 *
 * @remarks
 * It cannot be undone.
 *
 * @tool
 * @name things.delete
 * @title Delete a thing
 * @path /things/delete
 * @destructive
 * @idempotent
 * @openWorld false
 * @icon https://example.com/bin.png
 * @timeout 1.5m
 * @thread
 * @keep
 * @alwaysLoad
 * @task required
 * @deprecated Use `archive`.
 * @category Storage & moves
 * @returns Nothing.
 */
export function remove(): void {}

/** @tool @readonly @destructive false Looks at things. @deprecated @timeout 500ms */
export function look(): void {}
