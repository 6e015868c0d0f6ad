import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const onPath = (...names) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

/** Firefox, which is driven by WebDriver BiDi without anything between. */
export const firefox = () => process.env.FIREFOX_PATH ?? onPath('firefox-esr', 'firefox');

/** WebKitGTK's driver, and the X server without a screen that its browser needs where there is no display. */
export const webkit = () => {
  const driver = onPath('WebKitWebDriver');
  const screen = onPath('Xvfb');
  return driver && (screen || process.env.DISPLAY) ? { driver, screen } : undefined;
};
