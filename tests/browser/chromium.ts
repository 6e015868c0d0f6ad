import { type Browser, chromium } from 'playwright-core';

// Without these a fresh Chromium looks up its maker's hosts, which a closed network refuses many times at each start.
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-sandbox',
  '--disable-gpu',
];

/** Starts the Chromium that was chosen for this run, without a window. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.ATRIUM_TEST_CHROMIUM;
  if (!executablePath) throw new Error('no browser was chosen: see setup/choose-browser.mjs');
  return chromium.launch({ executablePath, args: QUIET, headless: true });
}
