import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../process-manager/json-file.ts';
import { getErrorMessage } from '../run.ts';
import {
  type BackingServer,
  type LauncherContext,
  PROVIDER_LABELS,
  type Program,
  type ProviderUnavailable,
  type ServerName,
} from '../server.ts';

const PREVIOUS_DATA = 'the data of previous runs';

const locationsSchema = z.partialRecord(z.string(), z.string());

const getLocationsFile = ({ home }: Pick<LauncherContext, 'home'>): string => join(home, 'ways.json');

const readLocations = (context: Pick<LauncherContext, 'home'>): Partial<Record<string, string>> => {
  try {
    return readJsonFile(getLocationsFile(context), locationsSchema);
  } catch {
    return {};
  }
};

const describeLocation = (name: ServerName, { image, version }: Program): string => {
  const location = image ? 'in a Docker volume' : 'in the Atrium folder';
  return name === 'postgres' ? `${location}, in the format of PostgreSQL ${version.split('.')[0]}` : location;
};

const findRecordedLocation = (name: ServerName, context: Pick<LauncherContext, 'home'>): string | undefined =>
  readLocations(context)[name];

const recordLocation = (name: ServerName, location: string, context: Pick<LauncherContext, 'home'>): void => {
  const locations = readLocations(context);
  if (locations[name] !== location) writeJsonFile(getLocationsFile(context), { ...locations, [name]: location });
};

const explainUnavailable = ({ title, envVariables }: BackingServer, unavailable: ProviderUnavailable[]): string =>
  [
    `${title} is not available on this machine. Provide it in one of these ways:`,
    `  - in the environment: a running server in ${envVariables}`,
    ...unavailable.map(({ provider, reason }) => `  - ${PROVIDER_LABELS[provider]}: ${reason}`),
    ...(unavailable.some(({ reason }) => reason.startsWith(PREVIOUS_DATA))
      ? ['To start over without that data, run `npm start -- --reset`.']
      : []),
  ].join('\n');

const findDataFolder = async ({ name }: BackingServer, { home }: LauncherContext): Promise<string | undefined> => {
  const folder = (await readdir(home)).find((entry) => entry === name || entry.startsWith(`${name}-`));
  if (!folder) return undefined;
  const entries = await readdir(join(home, folder)).catch(() => []);
  return entries.some((entry) => !entry.endsWith('.conf')) ? join(home, folder) : undefined;
};

/** With `ATRIUM_BACKING_PROVIDER=container`, only containers are allowed, to test that Atrium runs on them. */
const isAllowed = ({ provider }: Program, { env }: Pick<LauncherContext, 'env'>): boolean =>
  env.ATRIUM_BACKING_PROVIDER !== 'container' || provider === 'container' || provider === 'built-in';

/**
 * Tries the providers in order of preference, and prints a message for each program that is found but not used. Never
 * switches to a provider without the data of a previous run: if Docker was stopped or PostgreSQL was upgraded in
 * between, the workspace would appear to be empty.
 */
export const startFirstAvailable = async <T>(
  server: BackingServer,
  context: LauncherContext,
  run: (program: Program) => Promise<T>,
): Promise<T> => {
  const unavailable: ProviderUnavailable[] = [];
  const previousLocation = context.durable ? findRecordedLocation(server.name, context) : undefined;
  const existingData = await findDataFolder(server, context);
  for (const provider of server.providers) {
    const program = await provider(context);
    if ('reason' in program) {
      unavailable.push(program);
      // An installed program that is too old needs an explanation.
      if (/ is version /.test(program.reason)) context.listener.log(server.name, `${program.reason}; skipping it`);
      continue;
    }
    if (!isAllowed(program, context)) {
      unavailable.push({
        provider: program.provider,
        reason: `ATRIUM_BACKING_PROVIDER is ${context.env.ATRIUM_BACKING_PROVIDER}`,
      });
      continue;
    }
    const location = describeLocation(server.name, program);
    if (previousLocation ? previousLocation !== location : program.image && existingData) {
      unavailable.push({
        provider: program.provider,
        reason: `${PREVIOUS_DATA} is ${previousLocation ?? `in ${existingData}`}`,
      });
    } else {
      try {
        const running = await run(program);
        if (context.durable) recordLocation(server.name, location, context);
        return running;
      } catch (error) {
        if (context.reaper.isClosing()) throw error;
        unavailable.push({ provider: program.provider, reason: getErrorMessage(error) });
        context.listener.log(
          server.name,
          `${program.file} does not run on this machine; skipping it: ${getErrorMessage(error)}`,
        );
      }
    }
  }
  throw new Error(explainUnavailable(server, unavailable));
};
