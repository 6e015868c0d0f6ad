import { ephemeralContext } from '../backing/launcher-context.ts';
import { startFirstAvailable } from '../backing/providers/find-program.ts';
import { serverNames } from '../backing/server.ts';
import { backingServers } from '../backing/servers/start-backing.ts';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { buildWeb } from '../system/build-web.ts';
import type { Area } from './areas.ts';
import { findKustomize, findMinioClient } from './external-tools.ts';

const listener: ProcessListener = {
  line: (name, line) => console.log(`${name}: ${line}`),
  log: (name, text) => console.log(`${name}: ${text}`),
};

const PROJECTS_WITH_SERVERS = ['api', 'system', 'browser'];

const rendersManifests = ({ projects, paths }: Area): boolean =>
  projects.includes('unit') && (paths.length === 0 || paths.some((path) => path.includes('deploy')));

const prepareTools = async (): Promise<void> => {
  const context = {
    ...ephemeralContext(listener),
    address: () => Promise.reject(new Error('No server is running yet')),
  };
  try {
    await Promise.allSettled([
      findKustomize(context),
      findMinioClient(context),
      startFirstAvailable(backingServers.objects, context, async (program) => program),
    ]);
  } finally {
    await context.reaper.close();
  }
};

/**
 * Provides the programs that tests need. This takes minutes in a fresh clone, so it runs before the timeout of any test
 * starts. The tests that need a program report its failures.
 */
export const prepare = async (areas: Area[]): Promise<void> => {
  await Promise.allSettled(areas.some(rendersManifests) ? [prepareTools()] : []);
  if (!areas.some(({ projects }) => projects.some((project) => PROJECTS_WITH_SERVERS.includes(project)))) return;
  // Private test systems never use external servers.
  const startsSystems = areas.some(({ name }) => name === 'system' || name === 'browser');
  const context = {
    ...ephemeralContext(listener),
    address: () => Promise.reject(new Error('No server is running yet')),
  };
  try {
    const needed = serverNames
      .map((name) => backingServers[name])
      .filter((server) => startsSystems || !server.getAddressFromEnv(context.env));
    await Promise.allSettled([
      ...needed.map((server) => startFirstAvailable(server, context, async (program) => program)),
      ...(startsSystems ? [buildWeb(context)] : []),
    ]);
  } finally {
    await context.reaper.close();
  }
};
