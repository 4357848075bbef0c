import type { OwnTool } from '../../src/assembly/library.ts';

export declare const openTicket: (url: string) => OwnTool;
