export { createCommandHooks } from './command-hooks/create-command-hooks.ts';
export { readHooks } from './command-hooks/read-hooks.ts';
export type {
  CommandHook,
  CommandHookPorts,
  CommandHooks,
  HookEvent,
  HookFile,
  HooksRead,
} from './contract.ts';
