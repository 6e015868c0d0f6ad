import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';

const UNKNOWN = 'f'.repeat(24);
const MESSAGE = `/chat/messages/${UNKNOWN}`;
const CONVERSATION = `/chat/conversations/${UNKNOWN}`;
const SCHEDULED = `/chat/scheduled/${UNKNOWN}`;
const THUMBS_UP = encodeURIComponent('👍');

describe('a request without a session', () => {
  it.each([
    ['GET', '/chat/channels'],
    ['POST', `/chat/channels/${UNKNOWN}/join`],
    ['POST', `${CONVERSATION}/archive`],
    ['POST', `${CONVERSATION}/restore`],
    ['PATCH', `${CONVERSATION}/preferences`],
    ['GET', `${CONVERSATION}/pins`],
    ['GET', '/chat/saved'],
    ['GET', '/chat/threads'],
    ['GET', '/chat/drafts'],
    ['PUT', '/chat/drafts'],
    ['GET', '/chat/scheduled'],
    ['POST', '/chat/messages'],
    ['PATCH', SCHEDULED],
    ['DELETE', SCHEDULED],
    ['POST', `${SCHEDULED}/send`],
    ['GET', `${MESSAGE}/thread`],
    ['POST', `${MESSAGE}/thread/read`],
    ...['follow', 'pin', 'saved', 'reminder', `reactions/${THUMBS_UP}`].flatMap((path) => [
      ['PUT', `${MESSAGE}/${path}`] as const,
      ['DELETE', `${MESSAGE}/${path}`] as const,
    ]),
  ] as const)('is rejected: %s %s', async (method, path) => {
    expect((await service.call(method, path)).status).toBe(401);
  });
});

describe('a request with invalid values', () => {
  it.each([
    ['GET', '/chat/channels?archived=maybe', undefined],
    ['GET', '/chat/saved?limit=100&page=101', undefined],
    ['GET', '/chat/threads?filter=some', undefined],
    ['GET', '/chat/drafts?limit=100&page=101', undefined],
    ['PUT', '/chat/drafts', { conversation: UNKNOWN }],
    ['GET', '/chat/scheduled?limit=100&page=101', undefined],
    ['PATCH', SCHEDULED, { sendAt: 'tomorrow' }],
    ['GET', `${MESSAGE}/thread?before=first`, undefined],
    ['POST', `${MESSAGE}/thread/read`, { seq: 'last' }],
    ['PATCH', `${CONVERSATION}/preferences`, { notify: 'sometimes' }],
  ] as const)('is rejected: %s %s', async (method, path, body) => {
    expect((await service.call(method, path, { as: people.ben, ...(body && { body }) })).status).toBe(400);
  });
});

describe('archiving', () => {
  it('is for those who manage the channel, and not for direct conversations', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const direct = await createDirect(service, people.member, people.ben);
    for (const action of ['archive', 'restore']) {
      expect((await call('ben', 'POST', `/chat/conversations/${_id}/${action}`)).status).toBe(403);
      expect((await call('ben', 'POST', `${CONVERSATION}/${action}`)).status).toBe(404);
      expect((await call('member', 'POST', `/chat/conversations/${direct._id}/${action}`)).status).toBe(409);
    }
  });

  it('ends changes of reactions and pins', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const message = await send(service, people.member, _id);
    expect((await call('member', 'POST', `/chat/conversations/${_id}/archive`)).status).toBe(200);
    for (const path of ['pin', `reactions/${THUMBS_UP}`])
      for (const method of ['PUT', 'DELETE'])
        expect((await call('member', method, `/chat/messages/${message._id}/${path}`)).status).toBe(409);
  });
});

it('a deleted message without replies cannot be followed', async () => {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  const message = await send(service, people.member, _id);
  expect((await call('member', 'DELETE', `/chat/messages/${message._id}`)).status).toBe(204);
  expect((await call('ben', 'PUT', `/chat/messages/${message._id}/follow`)).status).toBe(409);
});
