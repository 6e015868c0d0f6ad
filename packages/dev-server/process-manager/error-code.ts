/**
 * The code of a system error, such as `ENOENT`. It does not ask for `instanceof Error`: under Jest, errors of Node itself are of
 * another realm.
 */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
