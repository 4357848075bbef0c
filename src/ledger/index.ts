export { newerError } from './codec.ts';
export type {
  Closing,
  Damage,
  FileSystemInfo,
  FirstReader,
  Holder,
  Inbox,
  InboxBody,
  InboxMessage,
  KnownUpTo,
  Ledger,
  LedgerErrorCode,
  LedgerErrorFacts,
  LedgerReport,
  Mark,
  NewerFact,
  Repair,
  SessionState,
  SessionSummary,
  Store,
  TornTail,
  WritableLedger,
} from './contract.ts';
export { LedgerError } from './error.ts';
export { fileSystemOf } from './file-system.ts';
export { type ListOptions, listSessions } from './list.ts';
export type { Disk } from './log/disk.ts';
export { realDisk } from './log/disk.ts';
export { type MemoryLedgerOptions, memoryLedger } from './memory.ts';
export { openStore, type StoreOptions } from './store.ts';
