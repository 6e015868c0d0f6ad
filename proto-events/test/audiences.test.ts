import { describe, expect, it } from '@jest/globals';
import { idOf, readSample, SAMPLE_UPDATES, toChanges, toUpdates } from './sample-updates.ts';

describe('the fan-out', () => {
  it('sends everyone only what everyone can see', () => {
    const published = SAMPLE_UPDATES.filter(({ audience }) => audience === 'everyone');
    const resources = new Set(published.map(({ change }) => change.resource));
    // A document only if it is visible to everyone.
    const expected: typeof resources = new Set([
      'department',
      'document',
      'emoji',
      'project',
      'project-counts',
      'room',
      'task',
      'user',
      'user-counts',
    ]);
    expect(resources).toEqual(expected);
  });

  it('sends items only of what everyone can see, without what belongs to one user', () => {
    const withItems = SAMPLE_UPDATES.filter(({ change }) => change.item);
    expect(new Set(withItems.map(({ audience }) => audience))).toEqual(new Set(['everyone']));
    expect(withItems.map(({ change }) => change.resource)).not.toContain('document');
    const fields = new Set(withItems.flatMap(({ change }) => Object.keys(change.item ?? {})));
    for (const field of ['membership', 'abilities', 'denialReasons', 'comments', 'lastLogin', 'preferences'])
      expect(fields).not.toContain(field);
  });

  it('sends nothing but ids, versions, and names of fields to limited audiences', () => {
    const limited = SAMPLE_UPDATES.filter(({ audience }) => audience !== 'everyone');
    const fields = new Set(limited.flatMap(({ change }) => Object.keys(change)));
    const allowed = ['action', 'changed', 'id', 'resource', 'revision', 'tags', 'version'];
    expect([...fields].filter((field) => !allowed.includes(field))).toEqual([]);
  });
});

describe('a change of a meeting', () => {
  const types = new Set(SAMPLE_UPDATES.map(({ subject }) => subject.replace(/\.v1$/, '')));

  it.each([...types].filter((type) => /^meetings\.(meeting|content)\./.test(type)))(
    'goes to participants and to administrators, who may see it in other lists than their own: %s',
    (type) => {
      const { organizerId, participantIds } = readSample(`${type}.v1.json`) as {
        organizerId: string;
        participantIds: string[];
      };
      const [update, ...adminUpdates] = toUpdates(type);
      expect(update?.audience).toEqual({ users: expect.arrayContaining([organizerId, ...participantIds]) });
      expect(update?.change.tags).toEqual(['meetings', 'own-meetings']);
      const change = { ...update?.change, tags: ['meetings'] };
      expect(adminUpdates).toEqual([{ audience: { users: [], admins: true }, change }]);
    },
  );

  it('goes to participants who were removed', () => {
    const removedIds = [idOf('d')];
    const [update] = toUpdates('meetings.meeting.updated', { removedIds });
    expect(update?.audience).toEqual({ users: expect.arrayContaining(removedIds) });
  });

  it('names the summary of a closed meeting only if there is one', () => {
    const listChangedFields = (summary: string) => toChanges('meetings.meeting.closed', { summary })[0]?.changed;
    expect([listChangedFields('We ship.'), listChangedFields('')]).toEqual([['closing', 'summary'], ['closing']]);
  });

  it('of several occurrences sends each of them only to its guests', () => {
    const changed = ['agendaItems'];
    const occurrences = [
      { meetingId: idOf('1'), userIds: [idOf('e')] },
      { meetingId: idOf('2'), userIds: [idOf('f')] },
    ];
    const tags = ['meetings', 'own-meetings'];
    expect(toUpdates('meetings.occurrences.changed', { occurrences, changed })).toEqual(
      occurrences.map(({ meetingId: id, userIds: users }) => ({
        audience: { users },
        change: { resource: 'meeting', id, action: 'updated', version: 0, tags, changed },
      })),
    );
  });
});

describe('a change of a document', () => {
  const [uploadedBy, reader, department] = [idOf('a'), idOf('b'), idOf('c')];
  const toAudience = (audience: object) =>
    toUpdates('documents.document.updated', { uploadedBy, audience })[0]?.audience;

  it('goes to everyone only if everyone can see it, and otherwise to readers, administrators, and the uploader', () => {
    expect(toAudience({ everyone: true, userIds: [] })).toBe('everyone');
    const users = [uploadedBy, reader];
    expect(toAudience({ everyone: false, userIds: [reader] })).toEqual({ users, admins: true });
    const audience = { everyone: false, userIds: [reader], departmentIds: [department] };
    expect(toAudience(audience)).toEqual({ users, admins: true, departments: [department] });
  });

  it('of access in a project goes to the users who gained or lost it', () => {
    const [update] = toUpdates('documents.access.changed', { addedIds: [reader], removedIds: [uploadedBy] });
    expect(update).toMatchObject({ audience: { users: [reader, uploadedBy] }, change: { tags: ['documents'] } });
  });
});

describe('a change of a conversation', () => {
  it('goes to its participants, and differs for users who were added or removed', () => {
    const [addedId, removedId] = [idOf('d'), idOf('e')];
    const changes = { addedIds: [addedId], removedIds: [removedId], changed: ['title', 'participants'] };
    expect(toUpdates('chat.conversation.updated', changes)).toMatchObject([
      { audience: { conversation: idOf('1'), users: [] }, change: { changed: ['title', 'otherParticipants'] } },
      { audience: { users: [addedId, removedId] }, change: { changed: ['title', 'participants'] } },
    ]);
    const rename = { addedIds: [], removedIds: [], changed: ['title'] };
    expect(toUpdates('chat.conversation.updated', rename)).toHaveLength(1);
  });

  it('by a message contains only its place, without its content', () => {
    const [conversationId, messageId, senderId] = [idOf('a'), idOf('b'), idOf('c')];
    expect(toUpdates('chat.message.sent', { conversationId, messageId, seq: 7, senderId })).toEqual([
      {
        audience: { conversation: conversationId, users: [] },
        change: { resource: 'message', id: conversationId, action: 'created', version: 7, tags: ['conversations'] },
      },
    ]);
  });
});

describe('a change of an account', () => {
  it('goes to the user of a session or a notification, and to administrators for an invitation', () => {
    const audienceOf = (type: string) => toUpdates(type)[0]?.audience;
    const { userId } = readSample('auth.session.started.v1.json');
    expect(audienceOf('auth.session.started')).toEqual({ users: [userId] });
    expect(audienceOf('auth.invitation.created')).toEqual({ users: [], admins: true });
    const { personIds } = readSample('notifications.notification.changed.v1.json');
    expect(audienceOf('notifications.notification.changed')).toEqual({ users: personIds });
  });
});
