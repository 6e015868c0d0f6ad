import { afterEach } from '@jest/globals';

/** Whatever is pushed into it is closed after the test, the latest first. Called once, where a file's tests are described. */
export function closeAfterEach(): { close(): unknown }[] {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close();
  });
  return open;
}
