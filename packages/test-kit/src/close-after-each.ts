import { afterEach } from '@jest/globals';

/**
 * Returns an array whose elements are closed after each test, latest first. Call it once, at the top level of a file.
 */
export function closeAfterEach(): { close(): unknown }[] {
  const closeables: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const closeable of closeables.splice(0).reverse()) await closeable.close();
  });
  return closeables;
}
