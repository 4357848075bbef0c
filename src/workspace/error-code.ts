/** The system's code of a thrown error (`ENOENT`, …), or an empty text. */
export function errorCode(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}

/** Whether the system refused for want of space. */
export const isFull = (thrown: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(thrown));

export const isMissing = (thrown: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(thrown));
