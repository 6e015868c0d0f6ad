import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInvitationByToken, listOpenInvitations } from '@atrium/auth/invitations/invitation-repository';
import { findReset } from '@atrium/auth/passwords/reset-repository';
import { connectDatabase } from '@atrium/service-kit/postgres/migrate';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { withExclusiveLock } from '@atrium/tools/backup/exclusive-lock';
import type { CompletedBackup } from '@atrium/tools/backup/make-backup';
import { withRemovalsBlocked } from '@atrium/tools/backup/objects/dump-objects';
import { endConnection } from '@atrium/tools/backup/postgres/connections';
import { type Restore, restoreBackup } from '@atrium/tools/backup/restore-backup';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createBackupFolder,
  createEmptyInstallation,
  createFilledInstallation,
  type TestInstallation,
} from './test-installation.ts';

const backups = createBackupFolder();
const hashes = { invitation: Buffer.from('of an invitation'), reset: Buffer.from('of a reset') };
let backup: CompletedBackup;
let files: { whole: string; damaged: string };
let target: TestInstallation;
let concurrentRestores: PromiseSettledResult<string[]>[];

const insertLinks = ({ installation }: TestInstallation) =>
  queryDatabase(
    installation.databases.auth,
    `with account as (
       insert into accounts (id, email, state, first_name, last_name, role)
       values ('a1', 'wai@example.org', 'invited', 'Wai', 'Ting', 'member') returning id),
     reset as (
       insert into password_resets (id, user_id, token_hash, expires_at)
       select 'r1', id, $2::bytea, now() + interval '1 hour' from account)
     insert into invitations (id, user_id, token_hash, mail_event_id, invited_by, expires_at)
     select 'i1', id, $1::bytea, 'e1', 'somebody', now() + interval '7 days' from account`,
    [hashes.invitation, hashes.reset],
  );

/** Reads which links have expired, and whose invitations can be sent again. */
async function readLinks({ installation }: TestInstallation) {
  const auth = await connectDatabase(installation.databases.auth);
  try {
    const invitation = await findInvitationByToken(auth, hashes.invitation);
    const reset = await findReset(auth, hashes.reset);
    const { rows } = await listOpenInvitations(auth, { limit: 10, offset: 0 });
    return { invitation: invitation?.expired, reset: reset?.expired, open: rows.map(({ email }) => email) };
  } finally {
    await endConnection(auth);
  }
}

const restore = ({ installation }: TestInstallation, options: Partial<Restore> = {}) =>
  restoreBackup(installation, {
    ...backup,
    endSessions: false,
    withoutDamaged: false,
    ...options,
    print: () => undefined,
  });
const deleteStreams = async ({ installation: { manager, prefix } }: TestInstallation) =>
  void (await manager.streams.delete(`${prefix}_users`));

beforeAll(async () => {
  const source = await createFilledInstallation();
  await insertLinks(source);
  files = { whole: await source.addFile('whole'), damaged: await source.addFile('damaged') };
  backup = await backups.make(source.installation);
  await deleteStreams(source);
  await source.installation.close();
  target = await createEmptyInstallation(source.installation.prefix);
  concurrentRestores = await Promise.allSettled([restore(target), restore(target)]);
});
afterAll(async () => {
  backups.remove();
  await target.installation.close();
});

describe('a restore', () => {
  it('is rejected while another restore into the same installation runs', () => {
    expect(concurrentRestores.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const rejected = concurrentRestores.find(({ status }) => status === 'rejected');
    expect(rejected).toMatchObject({ reason: { message: 'Another backup or restore is in progress.' } });
  });

  it('is rejected while a backup runs, as is a second backup', async () => {
    await withExclusiveLock(target.installation, async () => {
      await expect(restore(target)).rejects.toThrow('Another backup or restore is in progress.');
      await expect(backups.make(target.installation)).rejects.toThrow('Another backup or restore is in progress.');
    });
  });

  it('holds no database snapshot that would block vacuum and index builds, and neither does a backup', async () => {
    const { installation } = target;
    await withExclusiveLock(installation, (lock) =>
      withRemovalsBlocked(installation, lock, async () => {
        for (const url of [installation.databases.documents, installation.databases.chat])
          expect(
            await queryDatabase(
              url,
              `select backend_xmin from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
            ),
          ).toEqual([{ backend_xmin: null }]);
      }),
    );
  });

  it('preserves invitation and reset links', async () => {
    expect(await readLinks(target)).toEqual({ invitation: false, reset: false, open: ['wai@example.org'] });
  });

  it('expires all links with endSessions, and invitations can be sent again', async () => {
    await deleteStreams(target);
    const other = await createEmptyInstallation(target.installation.prefix);
    try {
      await restore(other, { endSessions: true });
      expect(await readLinks(other)).toEqual({ invitation: true, reset: true, open: ['wai@example.org'] });
    } finally {
      await other.installation.close();
    }
  });

  it("leaves a service's database empty if the backup does not contain it", async () => {
    const other = await createEmptyInstallation(target.installation.prefix);
    const { chat } = other.installation.databases;
    const backupWithoutChat = await backups.make({
      ...target.installation,
      databases: { ...target.installation.databases, chat },
    });
    expect(Object.keys(backupWithoutChat.manifest.databases)).not.toContain('chat');
    await deleteStreams(target);
    try {
      await restore(other, backupWithoutChat);
      expect(await readLinks(other)).toMatchObject({ open: ['wai@example.org'] });
      expect(await queryDatabase(chat, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
    } finally {
      await other.installation.close();
    }
  });

  it('rejects a backup with an unknown database', async () => {
    const { chat, ...others } = backup.manifest.databases;
    const databases = { ...others, ...(chat && { later: chat }) };
    const attempt = restore(target, { manifest: { ...backup.manifest, databases } });
    await expect(attempt).rejects.toThrow('data unknown to this version: the whole database of later');
  });

  it('skips damaged files with withoutDamaged, and is rejected without it', async () => {
    const file = join(backup.folder, 'objects', files.damaged);
    writeFileSync(file, 'dam');
    await deleteStreams(target);
    const other = await createEmptyInstallation(target.installation.prefix);
    try {
      await expect(restore(other)).rejects.toThrow('Add --without-damaged to restore everything but these files.');
      expect(await restore(other, { withoutDamaged: true })).toEqual([files.damaged]);
      const { objects, bucket } = other.installation;
      expect(await objects.statObject(bucket, files.whole)).toMatchObject({ size: 5 });
      await expect(objects.statObject(bucket, files.damaged)).rejects.toMatchObject({ code: 'NotFound' });
    } finally {
      await other.installation.close();
    }
  });
});
