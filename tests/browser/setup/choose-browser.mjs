// Jest loads this file itself; what it imports runs on Node's own type stripping.
import { findChromium } from './find-chromium.ts';
import { firefox, webkit } from './installed.mjs';

/** Chooses the browser of a whole run once, and says which it is. */
export default async () => {
  const { file, version, where } = await findChromium();
  process.env.ATRIUM_TEST_CHROMIUM = file;
  process.stdout.write(`\nChromium ${version} (${where}: ${file})\n`);
  if (!firefox())
    process.stdout.write('Firefox is not here, so its smoke does not run: put it on the PATH, or set FIREFOX_PATH\n');
  if (!webkit())
    process.stdout.write(
      'WebKit is not here, so its smoke does not run: it needs WebKitWebDriver and a display or Xvfb\n',
    );
};
