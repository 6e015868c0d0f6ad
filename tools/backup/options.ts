import { parseArgs } from 'node:util';
import { SERVICES, toUrlVariable } from './installation/databases.ts';

export type BackupOptions =
  | { command: 'help' }
  | { command: 'backup'; to: string; keep: number | undefined }
  | { command: 'verify'; folder: string }
  | { command: 'restore'; from: string; endSessions: boolean; withoutDamaged: boolean };

export const HELP = `npm run backup -- --to <folder> [--keep <n>]
npm run backup -- --verify <folder>
npm run restore -- --from <folder> [--end-sessions] [--without-damaged]

Backs up a running Atrium, or restores a backup into an empty one (docs/self-hosting/backup.md).

  --to <folder>      creates a backup in a new subfolder with a timestamp as its name. Undamaged user files of the
                     newest complete backup are hard-linked instead of copied. A failed backup leaves its user files in
                     a folder that ends in .partial; the next successful backup deletes it, with or without --keep
  --keep <n>         after a successful backup, deletes all but the newest n complete backups in that folder, and every
                     backup without a manifest that is older than the newest complete one
  --verify <folder>  compares every file of a backup with its manifest
  --from <folder>    restores this backup, or the newest complete one in this folder. The target must be empty, and none
                     of its services may be running
  --end-sessions     ends all sessions, and expires password links and open invitations (which can be sent again).
                     Without it, KEY_ENCRYPTION_SECRET must be the one that was in use when the backup was made
  --without-damaged  skips user files that are damaged in the backup, and lists them. Everything else must be intact

The target is the workspace on this machine (ATRIUM_HOME, by default .atrium in this folder). If NATS_URL is set, it is the
installation described by NATS_PREFIX, NATS_USER, NATS_PASSWORD, NATS_CREDS, and NATS_TLS_* (a user with all permissions),
MONGO_URL, S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION, and the database of each service. A restore also
reads NATS_REPLICAS and KEY_ENCRYPTION_SECRET, and KEY_ENCRYPTION_SECRET_PREVIOUS if the secret was changed after the
backup. The databases:

${SERVICES.map((service) => `  ${toUrlVariable(service)}\n`).join('')}`;

const fail = (message: string): never => {
  throw new Error(`${message}\n\n${HELP}`);
};

export function readOptions(command: 'backup' | 'restore', args: string[]): BackupOptions {
  const { values } = parse(args);
  const { to, verify, from, keep } = values;
  if (values.help) return { command: 'help' };
  if (command === 'restore') {
    if (to !== undefined || verify !== undefined || keep !== undefined)
      return fail('restore only accepts --from, --end-sessions, and --without-damaged.');
    if (!from) return fail('Missing --from: the backup to restore.');
    return { command, from, endSessions: values['end-sessions'], withoutDamaged: values['without-damaged'] };
  }
  if (from !== undefined || values['end-sessions'] || values['without-damaged'])
    return fail('backup only accepts --to, --keep, and --verify.');
  if (verify)
    return to || keep ? fail('--verify cannot be combined with other options.') : { command: 'verify', folder: verify };
  if (!to) return fail('Missing --to: the folder for backups.');
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep)) return fail('--keep must be a number from 1 to 9999.');
  return { command, to, keep: keep === undefined ? undefined : Number(keep) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        verify: { type: 'string' },
        from: { type: 'string' },
        'end-sessions': { type: 'boolean', default: false },
        'without-damaged': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}
