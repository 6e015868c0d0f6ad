/** The code of a system error, such as `ENOENT`. Avoids `instanceof Error`, because under Jest Node's errors belong to another realm. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
