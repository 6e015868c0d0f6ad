import { ephemeralContext } from '../backing/launcher-context.ts';
import { startFirstAvailable } from '../backing/providers/find-program.ts';
import { serverNames } from '../backing/server.ts';
import { backingServers } from '../backing/table.ts';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { buildWeb } from '../system/build-web.ts';
import type { Area } from './areas.ts';
import { findKustomize } from './kustomize.ts';
import { findMinioClient } from './minio-client.ts';

const listener: ProcessListener = {
  line: (name, line) => console.log(`${name}: ${line}`),
  say: (name, text) => console.log(`${name}: ${text}`),
};

const WITH_SERVERS = ['api', 'system', 'browser'];

const rendersManifests = ({ projects, paths }: Area): boolean =>
  projects.includes('unit') && (paths.length === 0 || paths.some((path) => path.includes('deploy')));

const prepareTools = async (): Promise<void> => {
  const toolbox = { ...ephemeralContext(listener), address: () => Promise.reject(new Error('nothing runs yet')) };
  try {
    await Promise.allSettled([
      findKustomize(toolbox),
      findMinioClient(toolbox),
      startFirstAvailable(backingServers.objects, toolbox, async (program) => program),
    ]);
  } finally {
    await toolbox.guard.close();
  }
};

/**
 * Fetches and builds what the chosen areas need, which takes minutes in a fresh clone, before any test counts its time. What
 * cannot be had is not said here: the tests that need it say so.
 */
export const prepare = async (areas: Area[]): Promise<void> => {
  await Promise.allSettled(areas.some(rendersManifests) ? [prepareTools()] : []);
  if (!areas.some(({ projects }) => projects.some((project) => WITH_SERVERS.includes(project)))) return;
  // A whole system of a test's own never uses a server that was given.
  const startsSystems = areas.some(({ name }) => name === 'system' || name === 'browser');
  const toolbox = { ...ephemeralContext(listener), address: () => Promise.reject(new Error('nothing runs yet')) };
  try {
    const needed = serverNames
      .map((name) => backingServers[name])
      .filter((server) => startsSystems || !server.given(toolbox.env));
    await Promise.allSettled([
      ...needed.map((server) => startFirstAvailable(server, toolbox, async (program) => program)),
      ...(startsSystems ? [buildWeb(toolbox)] : []),
    ]);
  } finally {
    await toolbox.guard.close();
  }
};
