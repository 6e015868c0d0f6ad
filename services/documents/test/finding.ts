import type { Document, FoundDocument } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { aDocument, type Started, type UploadOptions } from './factories.ts';

type Page = { data: FoundDocument[]; total: number; more?: true };

/** What a person finds by the words, and by further parameters of the query. */
export async function find({ service }: Started, as: DirectoryUser, search: string, more = '') {
  const query = `search=${encodeURIComponent(search)}&limit=100${more}`;
  const { status, body } = await service.call('GET', `/documents?${query}`, { as });
  if (status !== 200) throw new Error(`the search answered ${status}: ${JSON.stringify(body)}`);
  return body as Page;
}

export const idsOf = ({ data }: Page) => data.map(({ _id }) => _id);

export async function textStateOf({ service }: Started, as: DirectoryUser, id: string) {
  const { body } = await service.call('GET', `/documents/${id}?link=false`, { as });
  return (body as Document).text;
}

/** Waits until somebody has read its text, or has found that there is none. */
export async function untilRead(started: Started, as: DirectoryUser, id: string) {
  const read = async () => {
    const state = await textStateOf(started, as, id);
    return state === 'pending' ? undefined : state;
  };
  return waitFor(read, { what: 'the text to be read', timeoutMs: 60_000 });
}

/** A document whose text is read. */
export async function aReadDocument(started: Started, options: UploadOptions & { as: DirectoryUser }) {
  const document = await aDocument(started.service, options);
  return { ...document, text: await untilRead(started, options.as, document._id) };
}

/** Gives a document another file. */
export async function sendVersion({ service }: Started, as: DirectoryUser, id: string, content: string) {
  const form = new FormData();
  form.append('file', new Blob([content]), 'notes.txt');
  const headers = { authorization: `Bearer ${await service.tokens.sign(as)}` };
  const response = await fetch(`${service.url}/api/documents/${id}/versions`, { method: 'POST', headers, body: form });
  if (response.status !== 201) throw new Error(`the version answered ${response.status}: ${await response.text()}`);
}
