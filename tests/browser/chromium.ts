import { type Browser, chromium } from 'playwright-core';

/**
 * What a browser does beside its pages. A newer one makes two pages of its own for each of ours, for a bar that nobody sees, and took
 * half of the processor with them. It heeds the last list only, so that of Playwright stands here again.
 */
const NOT_NEEDED = [
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

// Without these a fresh Chromium looks up its maker's hosts, which a closed network refuses many times at each start.
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-sandbox',
  '--disable-gpu',
  `--disable-features=${NOT_NEEDED.join()}`,
];

/** Starts the Chromium that was chosen for this run, without a window. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.ATRIUM_TEST_CHROMIUM;
  if (!executablePath) throw new Error('no browser was chosen: see setup/choose-browser.mjs');
  return chromium.launch({ executablePath, args: QUIET, headless: true });
}
