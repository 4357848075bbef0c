export type {
  CheckUp,
  CliDeps,
  CliIo,
  ForkReport,
  ForkRequest,
  KnownSession,
  NewSession,
  OpenedSession,
  PermissionAnswer,
  PermissionQuestion,
  Problem,
  SecretMask,
  SessionRecord,
  SessionRow,
  SettingsChange,
  Signal,
  TrustReport,
  UndoReport,
  UndoRequest,
  Visit,
} from './contract.ts';
export { listOnly } from './list-only.ts';
export { main } from './main.ts';
