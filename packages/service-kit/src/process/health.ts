import type { Registry } from 'prom-client';
import { gaugeAtScrape } from '../observability/metrics.ts';

/**
 * While an essential dependency is down, the process is not ready; while any other is down, it is ready but degraded.
 */
export type HealthCheck = { name: string; essential: boolean; check: () => Promise<void> };

export type HealthReport = { status: 'ok' | 'degraded' | 'unavailable'; parts: Record<string, 'ok' | 'unavailable'> };

const FRESH_MS = 1_000;
const TIMEOUT_MS = 2_000;

/** Runs the checks concurrently, each for at most 2 seconds; a good report is cached for a second. */
export function createHealth(checks: readonly HealthCheck[]): () => Promise<HealthReport> {
  let cachedReport: { at: number; report: HealthReport } | undefined;
  let runningCheck: Promise<HealthReport> | undefined;
  const run = async () => {
    const report = await runChecks(checks);
    runningCheck = undefined;
    cachedReport = report.status === 'ok' ? { at: performance.now(), report } : undefined;
    return report;
  };
  return () => {
    if (cachedReport && performance.now() - cachedReport.at < FRESH_MS) return Promise.resolve(cachedReport.report);
    runningCheck ??= run();
    return runningCheck;
  };
}

async function runChecks(checks: readonly HealthCheck[]): Promise<HealthReport> {
  const results = await Promise.all(
    checks.map(async ({ name, essential, check }) => ({ name, essential, ok: await runCheck(check) })),
  );
  const failed = results.filter(({ ok }) => !ok);
  return {
    status: failed.length === 0 ? 'ok' : failed.some(({ essential }) => essential) ? 'unavailable' : 'degraded',
    parts: Object.fromEntries(results.map(({ name, ok }) => [name, ok ? 'ok' : 'unavailable'])),
  };
}

/** Returns whether the check passed in time. */
async function runCheck(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** A dependency that does not respond counts as down after two seconds, which must be reported. */
const READ_TIMEOUT_MS = 3_000;

export function measureHealth(registry: Registry, health: () => Promise<HealthReport>): void {
  gaugeAtScrape(registry, {
    name: 'dependency_up',
    help: 'Whether a dependency of this process responds (1): its database, NATS, the directory …',
    labelNames: ['dependency'],
    timeoutMs: READ_TIMEOUT_MS,
    read: async () =>
      Object.entries((await health()).parts).map(([dependency, status]) => ({
        labels: { dependency },
        value: Number(status === 'ok'),
      })),
  });
}
