import { compareReads } from '../compare-reads.ts';
import type { Figure } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { startBareProxy, startMeasured } from '../processes.ts';
import { seedProjects } from '../seed-projects.ts';

const EFFORT = { rounds: 5, seconds: 2 };

/** Lists 100 projects by a bare route, by the service, and by the service through the gateway, in turn. */
export async function benchListing(environment: LoadEnvironment): Promise<Figure[]> {
  const service = await environment.startService('projects');
  const gateway = await environment.startGateway({ PROJECTS_URL: service.url });
  await seedProjects(environment.databaseUrl('projects'), environment.users);
  const bare = await startMeasured({
    file: 'tests/load/baselines/express-list.ts',
    env: { DATABASE_URL: environment.databaseUrl('projects') },
    ready: (url) => `${url}/projects`,
  });
  const proxy = await startBareProxy(service);
  try {
    const headers = { authorization: `Bearer ${await environment.tokenOf(0)}` };
    const path = '/api/projects?limit=100';
    const read = { bare: { process: bare, path: '/projects' }, service, proxy, gateway, path, headers };
    const { rate, gatewayCpu, addedMs } = await compareReads(read, EFFORT, environment.print);
    return [
      {
        name: '100 items listed, service against a bare route',
        value: rate,
        unit: '×',
        limit: 0.6,
        sense: 'at least',
        detail: 'rate at 32 connections',
      },
      {
        name: '100 items listed, the gateway against a bare proxy',
        value: gatewayCpu,
        unit: '×',
        limit: 1.25,
        sense: 'at most',
        detail: 'CPU per request, without the service',
      },
      {
        name: 'median added by the gateway',
        value: addedMs,
        unit: ' ms',
        limit: 1,
        sense: 'at most',
        detail: 'one connection',
      },
    ];
  } finally {
    await Promise.all([bare, proxy, gateway, service].map((process) => process.stop()));
  }
}
