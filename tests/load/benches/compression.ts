import { type Figure, median } from '../figures.ts';
import { type Load, loadHttp } from '../http-load.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { measureCpu } from '../processes.ts';
import { seedProjects } from '../seed-projects.ts';

const ROUNDS = 5;
const SECONDS = 3;
const ENCODINGS = ['zstd', 'br', 'gzip'];

/** Lists 100 projects through the gateway with and without compression; compares its CPU time and the bytes sent. */
export async function benchCompression(environment: LoadEnvironment): Promise<Figure[]> {
  const service = await environment.startService('projects');
  const gateway = await environment.startGateway({ PROJECTS_URL: service.url });
  await seedProjects(environment.databaseUrl('projects'), environment.users);
  try {
    const authorization = `Bearer ${await environment.tokenOf(0)}`;
    const load = (encoding: string) =>
      measureCpu([gateway], () =>
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
      const uncompressed = await load('identity');
      environment.print(`  uncompressed ${formatRead(uncompressed)}`);
      for (const { encoding, cpu, bytes } of ratios) {
        const compressed = await load(encoding);
        environment.print(`  ${encoding} ${formatRead(compressed)}`);
        cpu.push(compressed.cpuMs / uncompressed.cpuMs);
        bytes.push(compressed.bytes / uncompressed.bytes);
      }
    }
    return ratios.flatMap(({ encoding, cpu, bytes }): Figure[] => [
      {
        name: `bytes sent for 100 projects with ${encoding}`,
        value: median(bytes),
        unit: '×',
        limit: 0.35,
        sense: 'at most',
        detail: 'bytes, against uncompressed',
      },
      {
        name: `gateway CPU time for them with ${encoding}`,
        value: median(cpu),
        unit: '×',
        limit: null,
        sense: 'at most',
        detail: 'per request, against uncompressed',
      },
    ]);
  } finally {
    await Promise.all([gateway.stop(), service.stop()]);
  }
}

const formatRead = ({ perSecond, cpuMs, bytes }: Load & { cpuMs: number }) =>
  `${perSecond.toFixed(0)}/s at ${cpuMs.toFixed(2)} ms CPU, ${(bytes / 1000).toFixed(1)} KB`;
