import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

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

/** Starts a headless Chromium: `CHROMIUM_PATH`, else one on the PATH, else the one that an npm package brings. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? onPath() ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: QUIET, headless: true });
}

function onPath(): string | undefined {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
