import { afterEach } from '@jest/globals';

/** Closes its elements after each test, latest first. Call it once, at the top level of a test file. */
export function closeAfterEach(): { close(): unknown }[] {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close();
  });
  return open;
}
