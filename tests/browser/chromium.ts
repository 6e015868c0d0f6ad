import { type Browser, chromium } from 'playwright-core';

/**
 * Background features to disable. Newer Chromium versions create two hidden pages for each page, for an invisible
 * toolbar, which used half of the CPU. Only the last such flag counts, so this list repeats Playwright's.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
];

// Without these flags, a fresh Chromium looks up its vendor's hosts, which fails many times at each start in a closed
// network.
export const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-sandbox',
  '--disable-gpu',
  `--disable-features=${DISABLED_FEATURES.join()}`,
];

/** A microphone that beeps, and no dialog that asks for it. */
const FAKE_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Starts the Chromium that was selected for this run, headless. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.ATRIUM_TEST_CHROMIUM;
  if (!executablePath) throw new Error('No browser selected, see setup/choose-browser.mjs');
  return chromium.launch({ executablePath, args: [...QUIET_FLAGS, ...FAKE_MICROPHONE], headless: true });
}
