import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { newId } from '@atrium/service-kit/process/new-id';
import { directDatabaseEnv, testBucket, testDatabase, testMongo, testNats } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { MIGRATIONS, SERVICES, toUrlVariable } from '@atrium/tools/backup/installation/databases';
import {
  connectInstallation,
  type Installation,
  readInstallationConfig,
} from '@atrium/tools/backup/installation/installation';
import { type CompletedBackup, makeBackup } from '@atrium/tools/backup/make-backup';
import { newName } from '@atrium/tools/backup/manifest';

/** Stores that no other test uses, and the environment variables for the backup program. */
export type TestInstallation = {
  env: Record<string, string>;
  installation: Installation;
  /** Saves a file as the documents service does; returns its key. */
  addFile(content: string): Promise<string>;
  /** Saves a file as the chat service does; returns its key. */
  addAttachment(content: string): Promise<string>;
};

/** Creates empty stores. If `prefix` belongs to another installation, its streams must have been deleted. */
export async function createEmptyInstallation(prefix?: string): Promise<TestInstallation> {
  const [databases, nats, mongoUrl, bucket] = await Promise.all([
    Promise.all(SERVICES.map(async (name) => [toUrlVariable(name), await testDatabase(name)])),
    testNats({ isEmpty: true }),
    testMongo(),
    testBucket(),
  ]);
  const env: Record<string, string> = {
    ...Object.fromEntries(databases),
    NATS_URL: nats.url,
    NATS_PREFIX: prefix ?? nats.prefix,
    MONGO_URL: mongoUrl,
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
  };
  const installation = await connectInstallation(readInstallationConfig(env));
  return {
    env,
    installation,
    addFile: (content) => addFile(installation, content),
    addAttachment: (content) => addAttachment(installation, content),
  };
}

/** Creates stores with the schema of every service, a stream with one event, and one MongoDB document. */
export async function createFilledInstallation(): Promise<TestInstallation> {
  const filled = await createEmptyInstallation();
  const { databases, manager, js, mongo, prefix } = filled.installation;
  await Promise.all(
    SERVICES.map((service) => {
      const url = databases[service];
      return migrate(directDatabaseEnv(url).DATABASE_DIRECT_URL ?? url, MIGRATIONS[service]);
    }),
  );
  await manager.streams.add({ name: `${prefix}_users`, subjects: [`${prefix}.users.>`] });
  await js.publish(`${prefix}.users.user.created.v1`, '{}');
  await mongo.collection<{ _id: string }>('restores').insertOne({ _id: 'earlier' });
  return filled;
}

async function addFile({ databases, objects, bucket }: Installation, content: string): Promise<string> {
  const id = newId();
  const objectKey = `documents/${newId()}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  await queryDatabase(
    databases.documents,
    `with file as (select $1::text as id, $2::text as object_key, $3::text as sha256, $4::bigint as size),
     document as (
       insert into documents (id, name, description, visibility, tags, uploaded_by, object_key, extension, mimetype, size, sha256)
       select id, 'notes.txt', '', 'public', '{}', 'somebody', object_key, 'txt', 'text/plain', size, sha256 from file returning id)
     insert into document_versions (document_id, number, object_key, extension, mimetype, size, sha256, uploaded_by)
     select document.id, 1, object_key, 'txt', 'text/plain', size, sha256, 'somebody' from file, document`,
    [id, objectKey, sha256, Buffer.byteLength(content)],
  );
  await objects.putObject(bucket, objectKey, content);
  return objectKey;
}

async function addAttachment({ databases, objects, bucket }: Installation, content: string): Promise<string> {
  const id = newId();
  const objectKey = `chat/${newId()}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  await queryDatabase(
    databases.chat,
    `with message as (
       insert into messages (conversation_id, seq, message_id, sender_id, content, type)
       values ($1, 1, $1, 'somebody', '', 'text') returning seq)
     insert into attachments (conversation_id, seq, position, attachment_id, name, extension, size, mimetype, sha256, object_key, uploader_id)
     select $1, seq, 0, $1, 'notes.txt', 'txt', $4, 'text/plain', $3, $2, 'somebody' from message`,
    [id, objectKey, sha256, Buffer.byteLength(content)],
  );
  await objects.putObject(bucket, objectKey, content);
  return objectKey;
}

/** A backup folder for one test file. */
export function createBackupFolder() {
  const path = mkdtempSync(join(tmpdir(), 'atrium-backups-'));
  const lines: string[] = [];
  return {
    path,
    names: () => readdirSync(path).sort(),
    /** The output of all backups so far. */
    output: () => lines.join('\n'),
    async make(installation: Installation): Promise<CompletedBackup> {
      // Two backups within the same second would have the same name.
      await waitFor(() => !readdirSync(path).some((name) => name.startsWith(newName())), {
        description: 'the next second',
      });
      return makeBackup(installation, path, (line) => void lines.push(line));
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}
