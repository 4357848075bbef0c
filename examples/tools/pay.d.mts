import type { OwnTool } from '../../src/assembly/library.ts';

export declare const pay: (url: string) => OwnTool;
