import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const onPath = (...names) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));

/** Returns the path of Firefox, if it is installed. */
export const firefox = () => process.env.FIREFOX_PATH ?? onPath('firefox-esr', 'firefox');

/** Returns WebKitGTK's driver, and the virtual X server that its browser needs without a display, if installed. */
export const webkit = () => {
  const driver = onPath('WebKitWebDriver');
  const screen = onPath('Xvfb');
  return driver && (screen || process.env.DISPLAY) ? { driver, screen } : undefined;
};
