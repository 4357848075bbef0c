/** Whether package.json's "engines" admit this Node, written as `24.15.0` or `v24.15.0`. */
export function isSupportedNode(version: string): boolean;
