export type {
  CheckUp,
  CliDeps,
  CliIo,
  KnownSession,
  NewSession,
  OpenedSession,
  Problem,
  SessionRecord,
  SessionRow,
  SettingsChange,
  Signal,
  Visit,
} from './contract.ts';
export { main } from './main.ts';
