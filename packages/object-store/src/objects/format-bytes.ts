const UNITS = ['Bytes', 'KB', 'MB', 'GB'];

/** "2.4 MB": powers of 1,024, one decimal. */
export function formatBytes(bytes: number): string {
  if (bytes < 1) return '0 Bytes';
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power]}`;
}
