const UNITS = ['Bytes', 'KB', 'MB', 'GB'];

/** In the units of the specification, section 9. */
export function formatBytes(bytes: number): string {
  if (bytes < 1) return '0 Bytes';
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power]}`;
}
