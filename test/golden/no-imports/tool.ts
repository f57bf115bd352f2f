#!/usr/bin/env node
// A comment.

/** The first statement. @tool */
export function first(): void {}
