import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSystem } from '@atrium/test-kit/system/start-system';
import { runDemo } from '@atrium/tools/demo/demo';
import { DEMO_PASSWORD } from '@atrium/tools/demo/people';
import { signInClient } from '../../workspace/workspace.ts';
import { findChromium } from '../setup/find-chromium.ts';
import { type Audit, type Category, withLighthouse } from './run-lighthouse.ts';

/**
 * `npm run test:lighthouse` starts Atrium with the demo workspace and its production build, and compares the scores of
 * Lighthouse, for phones with its default throttling, with their limits. It exits with 1 if a score is below its limit.
 * Run it with nothing else running: the scores depend on the CPU. `-- --runs 5` sets the runs of each screen (3), whose
 * median counts. The reports are in `output/lighthouse`, for Lighthouse's viewer.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });
const RUNS = Number(values.runs);
const OUTPUT = join(import.meta.dirname, '../../../output/lighthouse');
const MIN_SCORES = { accessibility: 95, 'best-practices': 95 };
const ADMIN = 'maya@atrium.example';
const print = (line: string) => void process.stdout.write(`${line}\n`);

const system = await startSystem({ env: { ALLOW_PAST_MEETINGS: 'true' } });
try {
  await runDemo({ baseUrl: system.url, print: () => undefined });
  const admin = await signInClient(system.url, ADMIN, DEMO_PASSWORD);
  const { body } = await admin.call<{ data: { _id: string }[] }>('GET', '/projects?limit=1');
  const { file, version } = await findChromium();
  const tokens = { accessToken: admin.token, refreshToken: admin.refreshToken };
  print(`Lighthouse with Chromium ${version}, the median of ${RUNS} runs:`);
  const screens = [
    { name: 'dashboard', path: '/', performance: 95 },
    { name: 'chat', path: '/chat', performance: 95 },
    { name: 'my-work', path: '/my-work', performance: 90 },
    { name: 'inbox', path: '/notifications', performance: 90 },
    { name: 'board', path: `/progress/${body.data[0]?._id}`, performance: 90 },
  ];
  await withLighthouse({ executablePath: file, base: system.url, tokens }, async (audit) => {
    await calibrate(audit);
    for (const { name, path, performance } of screens)
      await checkScreen(audit, { name, url: `${system.url}${path}`, limits: { ...MIN_SCORES, performance } });
  });
} finally {
  await system.stop();
}

/** Prints the result of a page without scripts, which shows how much of a low score is due to the machine. */
async function calibrate(audit: Audit): Promise<void> {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html');
    res.end('<!doctype html><html lang="en"><title>Empty</title><h1>Empty</h1></html>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const { scores, benchmarkIndex } = await audit(`http://127.0.0.1:${port}/`);
    print(`\nempty page for calibration, performance: ${scores.performance} (CPU ${benchmarkIndex})`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type Screen = { name: string; url: string; limits: Record<Category, number> };

async function checkScreen(audit: Audit, { name, url, limits }: Screen): Promise<void> {
  const reports = [];
  for (let run = 0; run < RUNS; run += 1) reports.push(await audit(url));
  reports.sort((a, b) => a.scores.performance - b.scores.performance);
  const median = reports[Math.floor(RUNS / 2)];
  if (!median) throw new Error(`No report for ${name}`);
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(join(OUTPUT, `${name}.json`), median.json);
  const runs = reports.map(({ scores, benchmarkIndex }) => `${scores.performance} (CPU ${benchmarkIndex})`);
  print(`\n${name}, performance of all runs: ${runs.join(', ')}`);
  for (const [category, limit] of Object.entries(limits) as [Category, number][]) {
    const score = median.scores[category];
    print(
      `  ${category.padEnd(16)} ${String(score).padStart(3)}  at least ${limit}${score < limit ? '  TOO LOW' : ''}`,
    );
    if (score < limit) process.exitCode = 1;
  }
  for (const failure of median.failures) print(`    ${failure}`);
}
