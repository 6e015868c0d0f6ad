import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { TestBucket } from '@atrium/test-kit/backing-servers';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { Client } from 'minio';

type Content = string | Uint8Array<ArrayBuffer>;

export type FilesOptions = {
  as?: Pick<DirectoryUser, '_id' | 'role'>;
  /** Names and contents, in sending order. */
  files?: readonly (readonly [name: string, content: Content])[];
  fields: Record<string, string>;
  fieldsLast?: boolean;
  part?: string;
};

/** Sends a message as a form, and returns the response regardless of its status. */
export async function postFiles(service: Pick<TestService, 'url' | 'tokens'>, options: FilesOptions) {
  const { as, files = [], fields, fieldsLast = false, part = 'attachments' } = options;
  const form = new FormData();
  const setFields = () => {
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
  };
  if (!fieldsLast) setFields();
  for (const [name, content] of files) form.append(part, new Blob([content]), name);
  if (fieldsLast) setFields();
  const headers = new Headers();
  if (as) headers.set('authorization', `Bearer ${await service.tokens.sign(as)}`);
  const response = await fetch(`${service.url}/api/chat/messages`, { method: 'POST', headers, body: form });
  const result = { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  recordResponse('chat', { method: 'POST', path: '/chat/messages' }, result);
  return result;
}

/** Sends a message with files; throws unless it was created. */
export async function sendFiles(service: Pick<TestService, 'url' | 'tokens'>, options: FilesOptions): Promise<Message> {
  const { status, body } = await postFiles(service, options);
  if (status !== 201) throw new Error(`Failed to send files (${status}): ${JSON.stringify(body)}`);
  return body as Message;
}

export async function listKeys({ endpoint, accessKey, secretKey, bucket }: TestBucket): Promise<string[]> {
  const { hostname, port } = new URL(endpoint);
  const client = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey,
    secretKey,
    region: 'us-east-1',
  });
  const keys: string[] = [];
  for await (const { name } of client.listObjectsV2(bucket, '', true)) if (name !== undefined) keys.push(name);
  return keys;
}
