import { openSigningKey } from '@atrium/auth/keys/signing-keys';
import { deriveKey } from '@atrium/auth/secrets/crypto';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import type pg from 'pg';
import { assertLockHeld, withExclusiveLock } from './exclusive-lock.ts';
import { readLines } from './files.ts';
import { SERVICES } from './installation/databases.ts';
import type { Installation } from './installation/installation.ts';
import { listUsedStreamNames } from './jetstream/list-streams.ts';
import { loadStream, removeUnusedStreams } from './jetstream/load-streams.ts';
import type { Manifest } from './manifest.ts';
import { listFilledCollections, loadCollection, recordRestore } from './mongo/load-collections.ts';
import { hasObjects, loadObjects } from './objects/load-objects.ts';
import { type Connections, connectAll, endAll } from './postgres/connections.ts';
import { findTables, findUnknownMigrations, loadDatabase } from './postgres/load-database.ts';
import { findErrors, listErrors } from './verify-backup.ts';

export type Restore = {
  folder: string;
  manifest: Manifest;
  endSessions: boolean;
  withoutDamaged: boolean;
  print: (line: string) => void;
};

/** Checks every precondition before the first write. Returns the keys of skipped files. */
export async function restoreBackup(installation: Installation, restore: Restore): Promise<string[]> {
  return withExclusiveLock(installation, async (lock) => {
    const clients = await connectAll(installation);
    try {
      const damaged = await assertRestorable(installation, clients, restore);
      restore.print(
        `  the backup is ${damaged.length > 0 ? 'damaged in some user files' : 'complete'}, and the installation is empty`,
      );
      await load(installation, clients, { ...restore, manifest: excludeObjects(damaged, restore.manifest) });
      await assertLockHeld(lock);
      return damaged;
    } finally {
      await endAll(clients);
    }
  });
}

const excludeObjects = (keys: string[], { objects, ...rest }: Manifest): Manifest => ({
  ...rest,
  objects: { ...objects, missing: [...objects.missing, ...keys] },
});

async function load(
  installation: Installation,
  clients: Connections,
  { folder, manifest, endSessions, print }: Restore,
) {
  for (const [service, client] of clients) {
    const entry = manifest.databases[service];
    if (entry) await loadDatabase({ url: installation.databases[service], service, client, entry, folder });
    else print(`  ${service} stays empty: it is newer than the backup`);
  }
  print(`  ${Object.keys(manifest.databases).length} databases`);
  const auth = clients.get('auth');
  if (auth) await expireLinks(auth, endSessions);
  for (const collection of manifest.collections) await loadCollection(folder, installation, collection);
  await recordRestore(installation, manifest.cut.at);
  print(`  ${manifest.collections.length} collections of notifications`);
  await loadObjects({ folder, installation, entry: manifest.objects, print });
  print(`  ${manifest.objects.count - manifest.objects.missing.length} files`);
  // Streams are restored last, because services that start too early wait for the directory in them.
  await removeUnusedStreams(installation);
  for (const stream of manifest.streams) await loadStream(folder, installation, stream);
  await provisionStreams(installation.manager, installation);
  print(`  ${manifest.streams.length} streams and buckets`);
}

async function assertRestorable(
  installation: Installation,
  clients: Connections,
  restore: Omit<Restore, 'print'>,
): Promise<string[]> {
  const { folder, manifest, endSessions, withoutDamaged } = restore;
  if (manifest.prefix !== installation.prefix)
    throw new Error(`The backup has the NATS_PREFIX ${manifest.prefix}, this installation has ${installation.prefix}.`);
  const unknown = await findUnknown(manifest);
  if (unknown.length > 0)
    throw new Error(
      `Version ${manifest.atrium} made the backup, with data unknown to this version: ${unknown.join(', ')}.`,
    );
  const existingData = await listExistingData(installation, clients);
  if (existingData.length > 0)
    throw new Error(
      `A restore needs an empty installation, but this one has ${existingData.join('; ')}. Nothing was changed.`,
    );
  const errors = await findErrors(folder, manifest);
  if (errors.parts.length > 0 || (errors.files.size > 0 && !withoutDamaged)) {
    const advice = errors.parts.length > 0 ? '' : ' Add --without-damaged to restore everything but these files.';
    throw new Error(`The backup is damaged; nothing was changed.${advice}\n  ${listErrors(errors).join('\n  ')}`);
  }
  if (!endSessions) await assertKeySecret(installation, folder, manifest);
  return [...errors.files.keys()];
}

async function findUnknown({ databases }: Manifest): Promise<string[]> {
  const unknown = Object.entries(databases).map(([name, entry]) => {
    const service = SERVICES.find((service) => service === name);
    return service ? findUnknownMigrations(service, entry) : [`the whole database of ${name}`];
  });
  return (await Promise.all(unknown)).flat();
}

async function listExistingData(installation: Installation, clients: Connections): Promise<string[]> {
  const tables = await Promise.all(
    [...clients].map(async ([service, client]) => {
      const existingTables = await findTables(client);
      return existingTables.length > 0 ? [`${existingTables.length} tables in the database of ${service}`] : [];
    }),
  );
  const describe = (label: string, names: string[]) => (names.length > 0 ? [`${label} ${names.join(', ')}`] : []);
  return [
    ...tables.flat(),
    ...describe('streams', await listUsedStreamNames(installation)),
    ...describe('collections', await listFilledCollections(installation)),
    ...((await hasObjects(installation)) ? [`objects in the bucket ${installation.bucket}`] : []),
  ];
}

/** If no secret decrypts the signing keys, no token can be refreshed, and auth creates new keys. */
async function assertKeySecret({ keySecrets }: Installation, folder: string, { databases }: Manifest): Promise<void> {
  const table = databases.auth?.tables.find(({ name }) => name === 'signing_keys');
  const column = table?.columns.indexOf('sealed_private_jwk') ?? -1;
  if (!table || table.rows === 0) return;
  const advice = 'Set the previous one, or restore with --end-sessions, which signs everyone out.';
  const [current, ...previous] = keySecrets.map((secret) => deriveKey(secret, 'signing keys'));
  if (!current) throw new Error(`KEY_ENCRYPTION_SECRET is missing; existing tokens need it. ${advice}`);
  for await (const row of readLines(folder, table)) {
    // The encrypted key is base64url with dots, which COPY does not escape.
    const isOpened = openSigningKey(row.split('\t')[column] ?? '', [current, ...previous]).then(
      () => true,
      () => false,
    );
    if (await isOpened) return;
  }
  throw new Error(`KEY_ENCRYPTION_SECRET does not decrypt the signing keys of the backup. ${advice}`);
}

/**
 * Deletes the password reset requests of the snapshot, because their links were sent long ago. Invitations stay open
 * and can be sent again, because other services know the invited users.
 */
async function expireLinks(auth: pg.Client, endSessions: boolean): Promise<void> {
  await auth.query('truncate reset_requests');
  if (!endSessions) return;
  await auth.query(
    `delete from sessions; delete from signing_keys;
     update invitations set expires_at = now() where accepted_at is null and expires_at > now();
     update password_resets set expires_at = now() where used_at is null and expires_at > now()`,
  );
}
