import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { type LoadEnvironment, SERVICES } from '../load-environment.ts';

const IDLE_SECONDS = 5;

/** Startup time and idle memory of each process, started one at a time on migrated databases. */
export async function benchProcesses(environment: LoadEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of [...SERVICES, 'gateway'] as const) {
    const start = () => (name === 'gateway' ? environment.startGateway({}) : environment.startService(name));
    // The first start migrates and fills the compile cache; the second is representative.
    await (await start()).stop();
    const process = await start();
    await delay(IDLE_SECONDS * 1000);
    figures.push({
      name: `${name}, idle memory`,
      value: process.residentMb(),
      unit: ' MB',
      limit: 150,
      sense: 'at most',
      detail: `ready after ${process.readyMs.toFixed(0)} ms`,
    });
    await process.stop();
  }
  return figures;
}
