import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../process-manager/json-file.ts';
import type { LauncherContext, Program, ServerName } from '../server.ts';

/** Where each server's data is; another location would be empty. */
const kept = z.partialRecord(z.string(), z.string());

const fileIn = ({ home }: Pick<LauncherContext, 'home'>): string => join(home, 'ways.json');

const read = (context: Pick<LauncherContext, 'home'>): Partial<Record<string, string>> => {
  try {
    return readJsonFile(fileIn(context), kept);
  } catch {
    return {};
  }
};

/** A description of a server's data location; PostgreSQL data is specific to a major version. */
export const locationOf = (name: ServerName, { image, version }: Program): string => {
  const place = image ? 'in a Docker volume' : 'in the Atrium folder';
  return name === 'postgres' ? `${place}, in the format of PostgreSQL ${version.split('.')[0]}` : place;
};

/** Where earlier starts stored a server's data, if any. */
export const recordedLocation = (name: ServerName, context: Pick<LauncherContext, 'home'>): string | undefined =>
  read(context)[name];

export const recordLocation = (name: ServerName, place: string, context: Pick<LauncherContext, 'home'>): void => {
  const all = read(context);
  if (all[name] !== place) writeJsonFile(fileIn(context), { ...all, [name]: place });
};
