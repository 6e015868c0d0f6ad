import { parseArgs } from 'node:util';
import { SERVICES, variableOf } from './place/databases.ts';

export type BackupOptions =
  | { command: 'help' }
  | { command: 'backup'; to: string; keep: number | undefined }
  | { command: 'check'; folder: string }
  | { command: 'restore'; from: string; endSessions: boolean; withoutDamaged: boolean };

export const HELP = `npm run backup -- --to <folder> [--keep <n>]
npm run backup -- --check <folder>
npm run restore -- --from <folder> [--end-sessions] [--without-damaged]

Keeps all of an Atrium while people work, and fills an empty one from that (docs/backup.md).

  --to <folder>      makes a backup in a new folder within that one, named after the time. Files that an earlier backup there has
                     are not copied again (they are hard links), unless they are damaged there, nor those of one that was broken off
                     (its folder ends in .partial)
  --keep <n>         then removes all but the newest n whole backups there, and those that were broken off
  --check <folder>   reads a backup and holds every file of it against its manifest
  --from <folder>    a backup, or a folder of backups, of which the newest whole one is taken. The place must be empty, and no
                     service of it may run
  --end-sessions     nobody is let in by what they had: everybody signs in again, and links to new passwords and open invitations
                     have expired (these can be sent again). Without it KEY_ENCRYPTION_SECRET must be that of before
  --without-damaged  leaves out the files of people that the backup's disk has damaged, and names them. All else must be whole

It works on the workspace of this machine (ATRIUM_HOME, .atrium in this folder unless set). With NATS_URL it works there instead: by
NATS_PREFIX, NATS_USER, NATS_PASSWORD, NATS_CREDS and NATS_TLS_* as a user who may do everything, MONGO_URL, S3_ENDPOINT, S3_BUCKET,
S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION and the database of each service; a restore also by NATS_REPLICAS and KEY_ENCRYPTION_SECRET,
and KEY_ENCRYPTION_SECRET_PREVIOUS where the secret was changed after the backup. The databases:

${SERVICES.map((service) => `  ${variableOf(service)}\n`).join('')}`;

const refuse = (what: string): never => {
  throw new Error(`${what}\n\n${HELP}`);
};

/** What somebody typed after `backup` or `restore`; throws a sentence and the help on anything unknown. */
export function readOptions(command: 'backup' | 'restore', args: string[]): BackupOptions {
  const { values } = parse(args);
  const { to, check, from, keep } = values;
  if (values.help) return { command: 'help' };
  if (command === 'restore') {
    if (to !== undefined || check !== undefined || keep !== undefined) return refuse('restore takes --from.');
    if (!from) return refuse('Say with --from which backup to restore.');
    return { command, from, endSessions: values['end-sessions'], withoutDamaged: values['without-damaged'] };
  }
  if (from !== undefined || values['end-sessions'] || values['without-damaged'])
    return refuse('backup takes --to or --check.');
  if (check) return to || keep ? refuse('--check goes alone.') : { command: 'check', folder: check };
  if (!to) return refuse('Say with --to where the backup goes.');
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep)) return refuse('--keep must be a number of at least 1.');
  return { command, to, keep: keep === undefined ? undefined : Number(keep) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        check: { type: 'string' },
        from: { type: 'string' },
        'end-sessions': { type: 'boolean', default: false },
        'without-damaged': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}
