export type {
  CheckUp,
  CliDeps,
  CliIo,
  ForkReport,
  ForkRequest,
  KnownSession,
  NewSession,
  OpenedSession,
  Problem,
  SessionRecord,
  SessionRow,
  SettingsChange,
  Signal,
  UndoReport,
  UndoRequest,
  Visit,
} from './contract.ts';
export { main } from './main.ts';
