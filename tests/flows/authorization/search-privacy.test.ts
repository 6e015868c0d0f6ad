import { randomUUID } from 'node:crypto';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildMeeting, buildProject, HIGH_LIMITS, uploadForm } from '../../workspace/builders.ts';
import {
  type Client,
  createResource,
  createUser,
  expectStatus,
  send,
  setUpWorkspace,
} from '../../workspace/workspace.ts';

let system: System;
let admin: Client;
let lena: Client;
let ben: Client;
let outsider: Client;

beforeAll(async () => {
  system = await startSystem({ env: HIGH_LIMITS });
  admin = await setUpWorkspace(system.url);
  lena = await createUser(system.url, admin, { first: 'Lena', role: 'project_manager' });
  ben = await createUser(system.url, admin, { first: 'Ben', role: 'member' });
  outsider = await createUser(system.url, admin, { first: 'Omar', role: 'member' });
});
afterAll(() => system?.stop());

type Group = { type: string; data: unknown[]; total: number; more: boolean };

const search = (client: Client, q: string): Promise<Group[]> =>
  waitFor(
    async () => {
      const path = `/search?${new URLSearchParams({ q, limit: '50' })}`;
      const { body } = await client.call<{ groups: Group[]; missing: string[] }>('GET', path);
      return body.missing.length > 0 ? undefined : body.groups;
    },
    { description: 'a complete search' },
  );

/** Returns the types with results. Fails unless the total is the number of results. */
async function find(client: Client, q: string): Promise<string[]> {
  const groups = await search(client, q);
  for (const { data, total, more } of groups) expect({ total, more }).toEqual({ total: data.length, more: false });
  return groups.filter(({ total }) => total > 0).map(({ type }) => type);
}

const waitToFind = (client: Client, q: string, types: readonly string[]) =>
  waitFor(async () => (await find(client, q)).join() === types.join(), { description: `${types} to be found` });

/** Queries that find what contains the word, if the user can see it: also with typos, parts, exclusions, and operators. */
const queriesFor = (word: string) => [
  word,
  `${word.slice(0, 4)}${word[5]}${word[4]}${word.slice(6)}`,
  `"${word}"`,
  word.slice(0, 6),
  `${word} -nothing`,
  `from:lena ${word}`,
  `after:2020-01-01 ${word}`,
];

async function expectNothing(client: Client, word: string): Promise<void> {
  for (const q of queriesFor(word)) expect({ q, found: await find(client, q) }).toEqual({ q, found: [] });
}

const createWord = () => `w${randomUUID().replaceAll('-', '').slice(0, 11)}`;
const sendMessage = (client: Client, conversation: string, content: string) =>
  expectStatus(client.call('POST', '/chat/messages', { conversation, content }), 201);

describe('a search of everything finds nothing of', () => {
  it('direct messages of others, also for administrators', async () => {
    const word = createWord();
    const conversation = await createResource(lena, '/chat/conversations', { type: 'direct', participants: [ben.id] });
    await sendMessage(lena, conversation, `The ${word} is secret`);
    await waitToFind(ben, word, ['message']);
    await expectNothing(outsider, word);
    await expectNothing(admin, word);
  });

  it('a channel that the user has left', async () => {
    const word = createWord();
    const group = { type: 'group', title: `Plans ${createWord()}`, participants: [ben.id, outsider.id] };
    const conversation = await createResource(lena, '/chat/conversations', group);
    await sendMessage(lena, conversation, `The ${word} is for members`);
    await waitToFind(outsider, word, ['message']);
    await expectStatus(outsider.call('POST', `/chat/conversations/${conversation}/leave`), 204);
    await expectNothing(outsider, word);
    expect(await find(outsider, `in:"${group.title}" ${word}`)).toEqual([]);
    expect(await find(outsider, `in:${conversation} ${word}`)).toEqual([]);
    expect(await find(ben, `in:"${group.title}" ${word}`)).toEqual(['message']);
  });

  it('an archived channel, except for its members', async () => {
    const word = createWord();
    const title = `Archive ${createWord()}`;
    const members = { visibility: 'public', participants: [ben.id, outsider.id] };
    const conversation = await createResource(lena, '/chat/conversations', { type: 'group', title, ...members });
    await sendMessage(lena, conversation, `The ${word} is for members`);
    await waitToFind(outsider, word, ['message']);
    await expectStatus(outsider.call('POST', `/chat/conversations/${conversation}/leave`), 204);
    await expectStatus(lena.call('POST', `/chat/conversations/${conversation}/archive`), 200);
    await expectStatus(outsider.call('POST', `/chat/channels/${conversation}/join`), 409);
    for (const client of [outsider, admin]) {
      await expectNothing(client, word);
      for (const q of [`in:"${title}"`, `in:${conversation}`, `in:${conversation} ${word}`])
        expect({ q, found: await find(client, q) }).toEqual({ q, found: [] });
    }
    expect(await find(ben, `in:"${title}" ${word}`)).toEqual(['message']);
    await expectStatus(lena.call('DELETE', `/chat/conversations/${conversation}/participants/${ben.id}`), 204);
    await expectNothing(ben, word);
    expect(await find(ben, `in:${conversation}`)).toEqual([]);
  });

  it('what others have, by operators alone', async () => {
    const word = createWord();
    const vera = await createUser(system.url, admin, { first: 'Vera', role: 'project_manager' });
    const direct = await createResource(vera, '/chat/conversations', { type: 'direct', participants: [ben.id] });
    await sendMessage(vera, direct, `The ${word} is secret`);
    const meeting = await createResource(vera, '/meetings', buildMeeting(word, { participants: [ben.id] }));
    const { _id: document } = await expectStatus(
      send<{ _id: string }>(`${system.url}/api/documents/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${vera.token}` },
        body: uploadForm(`${word}.txt`, { visibility: 'private' }),
      }),
      201,
    );
    const share = { userIds: [ben.id] };
    await expectStatus(vera.call('POST', `/documents/${document}/share`, share), 200);
    const queries = ['from:vera', `from:${vera.id}`, 'by:vera after:2020-01-01', 'from:vera -nothing'];
    await waitToFind(ben, 'from:vera', ['meeting', 'document', 'message']);
    for (const q of queries) {
      expect({ q, found: await find(outsider, q) }).toEqual({ q, found: [] });
      // Administrators see all meetings and documents.
      expect({ q, found: await find(admin, q) }).toEqual({ q, found: ['meeting', 'document'] });
    }
    for (const q of ['after:2020-01-01', '-from:lena', `-in:${document}`])
      expect(JSON.stringify(await search(outsider, q))).not.toContain(word);
    await expectStatus(vera.call('PATCH', `/meetings/${meeting}`, { participants: [outsider.id] }), 200);
    await expectStatus(vera.call('DELETE', `/documents/${document}/share`, share), 204);
    for (const q of queries) {
      expect({ q, found: await find(ben, q) }).toEqual({ q, found: ['message'] });
      expect({ q, found: await find(outsider, q) }).toEqual({ q, found: ['meeting'] });
    }
  });

  it('a document that is no longer shared: neither its name nor its text', async () => {
    const [name, text] = [createWord(), createWord()];
    const form = uploadForm(`${name}.txt`, { visibility: 'private' });
    form.set('file', new Blob([`the ${text} of the contract\n`], { type: 'text/plain' }), `${name}.txt`);
    const { _id: document } = await expectStatus(
      send<{ _id: string }>(`${system.url}/api/documents/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${lena.token}` },
        body: form,
      }),
      201,
    );
    const share = { userIds: [outsider.id] };
    await expectStatus(lena.call('POST', `/documents/${document}/share`, share), 200);
    await waitToFind(outsider, text, ['document']);
    expect(await find(outsider, name)).toEqual(['document']);
    await expectStatus(lena.call('DELETE', `/documents/${document}/share`, share), 204);
    await expectNothing(outsider, name);
    await expectNothing(outsider, text);
    await expectNothing(ben, text);
    expect(await find(lena, text)).toEqual(['document']);
  });

  it('a deleted task and its comments, and a deleted project', async () => {
    const [title, comment, name] = [createWord(), createWord(), createWord()];
    const project = await createResource(admin, '/projects', buildProject(name, lena, { teamMembers: [] }));
    const task = await createResource(lena, '/tasks', { title: `Check ${title}`, project });
    await expectStatus(lena.call('POST', `/tasks/${task}/comments`, { comment: `Because of ${comment}` }), 201);
    expect([await find(outsider, title), await find(outsider, comment)]).toEqual([['task'], ['task']]);
    await expectStatus(lena.call('DELETE', `/tasks/${task}`), 204);
    for (const client of [outsider, lena, admin]) {
      await expectNothing(client, title);
      await expectNothing(client, comment);
    }
    expect(await find(outsider, name)).toContain('project');
    await expectStatus(admin.call('DELETE', `/projects/${project}`), 204);
    await expectNothing(outsider, name);
  });

  it('a meeting that the user is no longer invited to', async () => {
    const [title, agenda] = [createWord(), createWord()];
    const body = buildMeeting(title, { agenda: `First ${agenda}`, participants: [ben.id, outsider.id] });
    const meeting = await createResource(lena, '/meetings', body);
    expect([await find(outsider, title), await find(outsider, agenda)]).toEqual([['meeting'], ['meeting']]);
    await expectStatus(lena.call('PATCH', `/meetings/${meeting}`, { participants: [ben.id] }), 200);
    await expectNothing(outsider, title);
    await expectNothing(outsider, agenda);
    expect(await find(ben, agenda)).toEqual(['meeting']);
  });
});

it('a search of everything is denied to a deactivated user', async () => {
  const leaver = await createUser(system.url, admin, { first: 'Rosa', role: 'member' });
  await expectStatus(leaver.call('GET', '/search?q=lena'), 200);
  await expectStatus(admin.call('PATCH', `/users/${leaver.id}`, { status: 'inactive' }), 200);
  await waitFor(async () => (await leaver.call('GET', '/search?q=lena')).status === 401, {
    description: 'the session to end',
  });
});
