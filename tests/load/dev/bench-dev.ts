import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { inspectors } from '@atrium/dev-server/dev/inspectors';
import { waitUntil } from '@atrium/dev-server/process-manager/wait-until';
import { launchChromium } from '../../browser/chromium.ts';
import { findChromium } from '../../browser/setup/find-chromium.ts';
import { type Figure, median, report } from '../figures.ts';
import { type DevStart, startDev } from './dev-start.ts';

const SAVES = 3;
const LOOK_MS = 3;
const WITHIN_MS = 30_000;
const SCREEN = 'web/src/app/auth-layout.tsx';

const fileOf = (name: string): string =>
  name === 'gateway' ? 'gateway/src/config.ts' : `services/${name}/src/config.ts`;

/** As an editor does who saves a file that has not been changed. */
const save = (file: string): void => utimesSync(join(CHECKOUT, file), new Date(), new Date());

const isReady = async (probe: string): Promise<boolean> =>
  fetch(probe, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

const until = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what}: not in ${WITHIN_MS / 1000} s\n${dev.text()}`);
    await pause(LOOK_MS);
  }
};

/** From the moment of saving until the process answers anew. */
const timeRestart = async (file: string, probe: string): Promise<number> => {
  const began = performance.now();
  save(file);
  await until(`the end of what was before ${file}`, async () => !(await isReady(probe)));
  await until(`a start with ${file}`, () => isReady(probe));
  return performance.now() - began;
};

const restarts = async (dev: DevStart): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const { name } of inspectors) {
    const times: number[] = [];
    for (let count = 0; count < SAVES; count += 1) times.push(await timeRestart(fileOf(name), dev.probe(name)));
    const detail = times.map((time) => time.toFixed(0)).join(', ');
    figures.push({
      what: `${name}: saved to running`,
      value: median(times),
      unit: ' ms',
      limit: 1_000,
      sense: 'at most',
      detail,
    });
  }
  return figures;
};

/** From the moment of saving until a browser shows the screen anew, without having loaded the page again. */
const screens = async (dev: DevStart): Promise<Figure> => {
  process.env.ATRIUM_TEST_CHROMIUM ??= (await findChromium()).file;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    let updates = 0;
    page.on('console', (message) => {
      if (message.text().includes(`hot updated: /${SCREEN.slice('web/'.length)}`)) updates += 1;
    });
    await page.goto(`${dev.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('globalThis.sameDocument = true');
    const times: number[] = [];
    for (let count = 0; count < SAVES + 1; count += 1) {
      const [before, began] = [updates, performance.now()];
      save(SCREEN);
      await until('a screen with what was saved', async () => updates > before);
      times.push(performance.now() - began);
    }
    if ((await page.evaluate('globalThis.sameDocument')) !== true) throw new Error('the page was loaded again');
    // The first one makes the browser load what it updates with.
    const detail = times.map((time) => time.toFixed(0)).join(', ');
    return {
      what: 'a screen: saved to shown',
      value: median(times.slice(1)),
      unit: ' ms',
      limit: 300,
      sense: 'at most',
      detail,
    };
  } finally {
    await browser.close();
  }
};

/** A file that cannot be compiled: it is told, all else goes on, and the next save mends it. */
const brokenFile = async (dev: DevStart): Promise<Figure> => {
  const file = join(CHECKOUT, fileOf('users'));
  const good = readFileSync(file, 'utf8');
  const told = dev.text().length;
  try {
    writeFileSync(file, `${good}\nconst broken: = 1;\n`);
    const isTold = async () => {
      if (!/failed; it starts again/.test(dev.text().slice(told))) throw new Error('nobody is told of the fault');
    };
    await waitUntil(isTold, { withinMs: 20_000 });
    if (!(await isReady(dev.probe('auth')))) throw new Error('another service went with it');
  } finally {
    writeFileSync(file, good);
  }
  const began = performance.now();
  await until('a start of what was mended', () => isReady(dev.probe('users')));
  return {
    what: 'users: mended to running',
    value: performance.now() - began,
    unit: ' ms',
    limit: 1_000,
    sense: 'at most',
    detail: '',
  };
};

const print = (line: string) => void process.stdout.write(`${line}\n`);
const dev = await startDev();
const figures: Figure[] = [];
try {
  figures.push(...(await restarts(dev)), await screens(dev), await brokenFile(dev));
} finally {
  await dev.end();
}
process.exitCode = report(figures, print) ? 0 : 1;
