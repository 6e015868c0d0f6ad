// Jest loads this file directly, so its imports rely on Node's type stripping.
import { findChromium } from './find-chromium.ts';
import { firefox, webkit } from './installed.mjs';

/** Selects the browser for the whole run and prints it. */
export default async () => {
  const { file, version, where } = await findChromium();
  process.env.ATRIUM_TEST_CHROMIUM = file;
  process.env.ATRIUM_TEST_CHROMIUM_SOURCE = where;
  process.stdout.write(`\nChromium ${version} (${where}: ${file})\n`);
  if (!firefox())
    process.stdout.write('Firefox not found, so its smoke test is skipped. Put it on the PATH or set FIREFOX_PATH.\n');
  if (!webkit())
    process.stdout.write(
      'WebKit not found, so its smoke test is skipped. It needs WebKitWebDriver and a display or Xvfb.\n',
    );
};
