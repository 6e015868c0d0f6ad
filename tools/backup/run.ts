import { resolve } from 'node:path';
import { connectInstallation, type Installation, readInstallationConfig } from './installation/installation.ts';
import { makeBackup, removeOldBackups } from './make-backup.ts';
import { listBackups, type Manifest, readManifest } from './manifest.ts';
import { type BackupOptions, HELP, readOptions } from './options.ts';
import { restoreBackup } from './restore-backup.ts';
import { findErrors, listErrors } from './verify-backup.ts';

type OpenInstallation = (command: 'backup' | 'restore') => Promise<Pick<Installation, 'close'> & Installation>;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const openFromEnvironment: OpenInstallation = () => connectInstallation(readInstallationConfig(process.env));

export async function run(
  command: 'backup' | 'restore',
  args: string[],
  openLocal: OpenInstallation = openFromEnvironment,
): Promise<void> {
  // Files of a backup are readable only by their owner.
  process.umask(0o077);
  let options: BackupOptions;
  try {
    options = readOptions(command, args);
  } catch (error) {
    return fail(error, 64);
  }
  const open = process.env.NATS_URL ? openFromEnvironment : openLocal;
  try {
    if (options.command === 'help') print(HELP);
    else if (options.command === 'verify') await verify(options.folder);
    else if (options.command === 'backup') await backup(open, options);
    else await restore(open, options);
  } catch (error) {
    fail(error, 1);
  }
}

function fail(error: unknown, code: number): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = code;
}

async function withInstallation<T>(
  opening: Promise<Installation>,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await opening;
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}

async function backup(
  open: OpenInstallation,
  { to, keep }: Extract<BackupOptions, { command: 'backup' }>,
): Promise<void> {
  const startedAt = performance.now();
  const { folder, manifest } = await withInstallation(open('backup'), (installation) =>
    makeBackup(installation, to, print),
  );
  print(`${folder} in ${formatSecondsSince(startedAt)} s: ${describe(manifest)}`);
  reportMissing(manifest);
  if (keep === undefined) return;
  const removed = await removeOldBackups(resolve(to), keep);
  if (removed.length > 0) print(`Removed ${removed.join(', ')}.`);
}

async function restore(open: OpenInstallation, options: Extract<BackupOptions, { command: 'restore' }>) {
  const { from, endSessions, withoutDamaged } = options;
  const startedAt = performance.now();
  const folder = await chooseBackup(resolve(from));
  const manifest = await readManifest(folder);
  print(`${folder}: ${describe(manifest)}`);
  const restoreOptions = { folder, manifest, endSessions, withoutDamaged, print };
  const damaged = await withInstallation(open('restore'), (installation) =>
    restoreBackup(installation, restoreOptions),
  );
  print(`Restored the state of ${manifest.cut.at} in ${formatSecondsSince(startedAt)} s. Start the services now.`);
  reportMissing(manifest);
  if (damaged.length > 0)
    process.stderr.write(`Skipped ${damaged.length} files that are damaged in the backup: ${damaged.join(', ')}\n`);
}

async function verify(path: string): Promise<void> {
  const folder = await chooseBackup(resolve(path));
  const manifest = await readManifest(folder);
  const errors = listErrors(await findErrors(folder, manifest));
  if (errors.length > 0) throw new Error(`${folder} is damaged:\n  ${errors.join('\n  ')}`);
  print(`${folder} is complete: ${describe(manifest)}`);
  reportMissing(manifest);
}

async function chooseBackup(folder: string): Promise<string> {
  const newest = (await listBackups(folder)).findLast(({ isComplete }) => isComplete);
  return newest ? resolve(folder, newest.name) : folder;
}

const formatSecondsSince = (startedAt: number): string => ((performance.now() - startedAt) / 1_000).toFixed(1);
const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

function describe({ databases, streams, collections, objects }: Manifest): string {
  const rows = sum(Object.values(databases).flatMap(({ tables }) => tables.map((table) => table.rows)));
  const messages = sum(streams.map((stream) => stream.messages));
  const documents = sum(collections.map((collection) => collection.documents));
  const megabytes = (objects.size / 1e6).toFixed(1);
  return `${rows} rows, ${messages} messages, ${documents} documents, ${objects.count} files of ${megabytes} MB`;
}

function reportMissing({ objects: { missing } }: Manifest): void {
  if (missing.length === 0) return;
  process.stderr.write(
    `${missing.length} files are missing from the object store or differ from their records: ${missing.join(', ')}\n`,
  );
}
