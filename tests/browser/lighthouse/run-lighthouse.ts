import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { QUIET_FLAGS } from '../chromium.ts';
import type { Tokens } from '../test-pages.ts';

export type Category = 'performance' | 'accessibility' | 'best-practices';

export type Report = {
  scores: Record<Category, number>;
  /** Audits below their maximum, each with its category and value. */
  failures: string[];
  /** Lighthouse's measure of this machine's CPU before the run; higher is faster. */
  benchmarkIndex: number;
  /** Lighthouse's own report, for its viewer. */
  json: string;
};

const CATEGORIES: readonly Category[] = ['performance', 'accessibility', 'best-practices'];

export type Audit = (url: string) => Promise<Report>;

/** Starts Chromium signed in at `base`, and audits pages as Lighthouse does by default: a mid-range phone on slow 4G. */
export async function withLighthouse<T>(
  params: { executablePath: string; base: string; tokens: Tokens },
  run: (audit: Audit) => Promise<T>,
): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'atrium-lighthouse-'));
  const port = await findFreePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: params.executablePath,
    args: [...QUIET_FLAGS, `--remote-debugging-port=${port}`],
    headless: true,
  });
  try {
    const page = await context.newPage();
    // Any file of the origin gives access to its storage without starting the app.
    await page.goto(`${params.base}/robots.txt`);
    await page.evaluate(({ accessToken, refreshToken }) => {
      localStorage.setItem('access_token', accessToken);
      localStorage.setItem('refresh_token', refreshToken);
      localStorage.setItem('atrium:token-came-at', String(Date.now()));
    }, params.tokens);
    await page.goto('about:blank');
    const devtools = await context.newCDPSession(page);
    return await run(async (url) => {
      // Lighthouse itself would clear the tokens as well.
      await devtools.send('Network.clearBrowserCache');
      return await auditPage(url, port);
    });
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function auditPage(url: string, port: number): Promise<Report> {
  const result = await lighthouse(url, {
    port,
    // The storage contains the tokens.
    disableStorageReset: true,
    onlyCategories: [...CATEGORIES],
    logLevel: 'error',
  });
  if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
  const { categories, audits, environment, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const failures = CATEGORIES.flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id];
      if (!audit || audit.score === null || audit.score >= 0.9) return [];
      if (weight === 0 && audit.scoreDisplayMode !== 'metricSavings') return [];
      return [`${category}: ${audit.title}${audit.displayValue ? ` (${audit.displayValue})` : ''}`];
    }),
  );
  const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100);
  return {
    json: JSON.stringify(result.lhr),
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
    },
    failures,
    benchmarkIndex: Math.round(environment.benchmarkIndex),
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port')),
      );
    });
  });
}
