import type { Figure } from './figures.ts';
import { median } from './figures.ts';
import { loadHttp } from './http-load.ts';
import { cpuOf, startMeasured } from './processes.ts';
import { seedProjects } from './seed-projects.ts';
import type { World } from './world.ts';

const ROUNDS = 9;
const SECONDS = 3;

/** 100 projects listed: by a bare route, by the service, and by the service through the gateway, in turn. */
export async function benchListing(world: World): Promise<Figure[]> {
  const service = await world.startService('projects');
  const gateway = await world.startGateway({ PROJECTS_URL: service.url });
  await seedProjects(world.databaseUrl('projects'), world.people);
  const bare = await startMeasured({
    file: 'tests/load/bare/express-list.ts',
    env: { DATABASE_URL: world.databaseUrl('projects') },
    ready: (url) => `${url}/projects`,
  });
  try {
    const headers = { authorization: `Bearer ${await world.tokenOf(0)}` };
    const path = '/api/projects?limit=100';
    const load = (url: string, connections: number) => loadHttp({ url, connections, seconds: SECONDS, headers });
    await load(`${bare.url}/projects`, 32);
    await load(service.url + path, 32);
    await load(gateway.url + path, 32);

    const ratios: number[] = [];
    const cpu: number[] = [];
    const added: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await load(`${bare.url}/projects`, 32);
      const straight = await cpuOf([service], () => load(service.url + path, 32));
      const through = await cpuOf([service, gateway], () => load(gateway.url + path, 32));
      ratios.push(straight.perSecond / plain.perSecond);
      cpu.push(through.cpuMs / straight.cpuMs);
      const calm = await load(service.url + path, 1);
      const calmThrough = await load(gateway.url + path, 1);
      added.push(calmThrough.medianMs - calm.medianMs);
      world.print(
        `  bare ${plain.perSecond.toFixed(0)}/s, service ${straight.perSecond.toFixed(0)}/s at ${straight.cpuMs.toFixed(2)} ms CPU, through the gateway ${through.perSecond.toFixed(0)}/s at ${through.cpuMs.toFixed(2)} ms CPU; one connection ${calm.medianMs.toFixed(2)} ms, through the gateway ${calmThrough.medianMs.toFixed(2)} ms`,
      );
    }
    return [
      {
        what: '100 items listed, service against a bare route',
        value: median(ratios),
        unit: '×',
        limit: 0.6,
        sense: 'at least',
        detail: 'rate at 32 connections',
      },
      {
        what: 'the same through the gateway against straight',
        value: median(cpu),
        unit: '×',
        limit: 1.6,
        sense: 'at most',
        detail: 'CPU a request',
      },
      {
        what: 'added by the gateway at the median',
        value: median(added),
        unit: ' ms',
        limit: 1,
        sense: 'at most',
        detail: 'one connection',
      },
    ];
  } finally {
    await Promise.all([bare.stop(), gateway.stop(), service.stop()]);
  }
}
