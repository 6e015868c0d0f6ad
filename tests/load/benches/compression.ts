import { type Figure, median } from '../figures.ts';
import { type Load, loadHttp } from '../http-load.ts';
import type { World } from '../load-environment.ts';
import { cpuOf } from '../processes.ts';
import { seedProjects } from '../seed-projects.ts';

const ROUNDS = 5;
const SECONDS = 3;
const ENCODINGS = ['zstd', 'br', 'gzip'];

/** 100 projects listed through the gateway, as they are and compressed: what it costs the gateway, and what is sent. */
export async function benchCompression(world: World): Promise<Figure[]> {
  const service = await world.startService('projects');
  const gateway = await world.startGateway({ PROJECTS_URL: service.url });
  await seedProjects(world.databaseUrl('projects'), world.people);
  try {
    const authorization = `Bearer ${await world.tokenOf(0)}`;
    const load = (encoding: string) =>
      cpuOf([gateway], () =>
        loadHttp({
          url: `${gateway.url}/api/projects?limit=100`,
          connections: 8,
          seconds: SECONDS,
          headers: { authorization, 'accept-encoding': encoding },
        }),
      );
    await load('identity');
    const ratios = ENCODINGS.map((encoding) => ({ encoding, cpu: [] as number[], bytes: [] as number[] }));
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await load('identity');
      world.print(`  as it is ${told(plain)}`);
      for (const { encoding, cpu, bytes } of ratios) {
        const compressed = await load(encoding);
        world.print(`  ${encoding} ${told(compressed)}`);
        cpu.push(compressed.cpuMs / plain.cpuMs);
        bytes.push(compressed.bytes / plain.bytes);
      }
    }
    return ratios.flatMap(({ encoding, cpu, bytes }): Figure[] => [
      {
        what: `sent of 100 projects by ${encoding}`,
        value: median(bytes),
        unit: '×',
        limit: 0.35,
        sense: 'at most',
        detail: 'bytes, against as they are',
      },
      {
        what: `CPU of the gateway for them by ${encoding}`,
        value: median(cpu),
        unit: '×',
        limit: null,
        sense: 'at most',
        detail: 'a request, against as they are',
      },
    ]);
  } finally {
    await Promise.all([gateway.stop(), service.stop()]);
  }
}

const told = ({ perSecond, cpuMs, bytes }: Load & { cpuMs: number }) =>
  `${perSecond.toFixed(0)}/s at ${cpuMs.toFixed(2)} ms CPU, ${(bytes / 1000).toFixed(1)} KB`;
