import browserslist from 'browserslist';

/** The oldest supported version of each browser (`browserslist` in `web/package.json`). */
export function minimumBrowserVersions(): Map<string, number> {
  const oldestVersions = new Map<string, number>();
  for (const browser of browserslist(undefined, { path: import.meta.dirname })) {
    const [name = '', versions = ''] = browser.split(' ');
    const version = Number.parseFloat(versions);
    oldestVersions.set(name, Math.min(version, oldestVersions.get(name) ?? version));
  }
  return oldestVersions;
}

/** The same versions in the format of Vite's build target: `['chrome156', 'firefox153', …]`. */
export function buildTarget(): string[] {
  return Array.from(minimumBrowserVersions(), ([name, version]) => `${name}${version}`);
}
