import type { Document, FoundDocument } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { retryWhileBusy } from '@atrium/test-kit/retry-while-busy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { createDocument, type Started, type UploadOptions } from './factories.ts';

type Page = { data: FoundDocument[]; total: number; more?: true };

export async function searchDocuments({ service }: Started, as: DirectoryUser, search: string, extraQuery = '') {
  const query = `search=${encodeURIComponent(search)}&limit=100${extraQuery}`;
  const { status, body } = await retryWhileBusy(() => service.call('GET', `/documents?${query}`, { as }));
  if (status !== 200) throw new Error(`Failed to search: status ${status}: ${JSON.stringify(body)}`);
  return body as Page;
}

export const idsOf = ({ data }: Page) => data.map(({ _id }) => _id);

export async function readTextState({ service }: Started, as: DirectoryUser, id: string) {
  const { body } = await service.call('GET', `/documents/${id}?link=false`, { as });
  return (body as Document).text;
}

/** Waits until the text is extracted or the extraction has failed. Returns the state. */
export async function waitUntilIndexed(started: Started, as: DirectoryUser, id: string) {
  const read = async () => {
    const state = await readTextState(started, as, id);
    return state === 'pending' ? undefined : state;
  };
  return waitFor(read, { description: 'text extraction' });
}

export async function createIndexedDocument(started: Started, options: UploadOptions & { as: DirectoryUser }) {
  const document = await createDocument(started.service, options);
  return { ...document, text: await waitUntilIndexed(started, options.as, document._id) };
}

export async function addVersion({ service }: Started, as: DirectoryUser, id: string, content: string) {
  const form = new FormData();
  form.append('file', new Blob([content]), 'notes.txt');
  const headers = { authorization: `Bearer ${await service.tokens.sign(as)}` };
  const response = await fetch(`${service.url}/api/documents/${id}/versions`, { method: 'POST', headers, body: form });
  if (response.status !== 201)
    throw new Error(`Failed to add the version: status ${response.status}: ${await response.text()}`);
}
