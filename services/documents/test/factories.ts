import type { Document } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { startService } from '@atrium/service-kit/service/start-service';
import { testBucket } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { Client } from 'minio';
import { documentsService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Starts the service on its own database and bucket, with users of each kind. */
export async function startDocuments(extraEnv: Record<string, string> = {}) {
  const bucket = await testBucket();
  const service = await startTestService(
    'documents',
    (env, overrides) => startService(documentsService, readConfig(env), overrides),
    {
      S3_ENDPOINT: bucket.endpoint,
      S3_PUBLIC_URL: bucket.endpoint,
      S3_ACCESS_KEY: bucket.accessKey,
      S3_SECRET_KEY: bucket.secretKey,
      S3_BUCKET: bucket.bucket,
      ...extraEnv,
    },
  );
  const people = {
    admin: buildUser({ role: 'admin', firstName: 'Ada', lastName: 'Admin' }),
    uploader: buildUser({ firstName: 'Uma', lastName: 'Uploader' }),
    friend: buildUser({ firstName: 'Fred', lastName: 'Friend' }),
    colleague: buildUser({ firstName: 'Cora', lastName: 'Colleague' }),
    manager: buildUser({ role: 'project_manager', firstName: 'Paul', lastName: 'Manager' }),
    stranger: buildUser({ firstName: 'Stan', lastName: 'Stranger' }),
    inactive: buildUser({ status: 'inactive' }),
  };
  service.addToDirectory(...Object.values(people));
  const { hostname, port } = new URL(bucket.endpoint);
  const objects = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: bucket.accessKey,
    secretKey: bucket.secretKey,
    region: 'us-east-1',
  });
  return { service, people, bucket, objectKeys: () => listKeys(objects, bucket.bucket), objects };
}

export type Started = Awaited<ReturnType<typeof startDocuments>>;
export type People = Started['people'];

async function listKeys(objects: Client, bucket: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { name } of objects.listObjectsV2(bucket, '', true)) if (name !== undefined) keys.push(name);
  return keys;
}

export type UploadOptions = {
  as?: DirectoryUser;
  content?: string | Uint8Array<ArrayBuffer>;
  fileName?: string;
  fields?: Record<string, string>;
  fieldsLast?: boolean;
  headers?: Record<string, string>;
};

/** Uploads a small file and returns the response. */
export async function upload(service: TestService, options: UploadOptions) {
  // The same content by the same user is one object.
  const { as, content = `Hello, hub ${newId()}`, fileName = 'notes.txt', fields = {}, fieldsLast = false } = options;
  const form = new FormData();
  const setFields = () => {
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
  };
  if (!fieldsLast) setFields();
  form.append('file', new Blob([content]), fileName);
  if (fieldsLast) setFields();
  const headers = new Headers(options.headers);
  if (as) headers.set('authorization', `Bearer ${await service.tokens.sign(as)}`);
  const response = await fetch(`${service.url}/api/documents/upload`, { method: 'POST', headers, body: form });
  const result = { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  recordResponse('documents', { method: 'POST', path: '/documents/upload' }, result);
  return result;
}

/** Uploads a small file and returns the document; throws on failure. */
export async function createDocument(service: TestService, options: UploadOptions): Promise<Document> {
  const { status, body } = await upload(service, options);
  if (status !== 201) throw new Error(`Failed to upload the document: ${JSON.stringify(body)}`);
  return body as Document;
}
