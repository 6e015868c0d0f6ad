import { describe, expect, it } from '@jest/globals';
import { channelName, createConversationBody } from '../src/http/chat.ts';
import { content, sendMessageBody } from '../src/http/chat-messages.ts';
import { chatClientPayloads } from '../src/realtime.ts';
import { sentences } from './sentences.ts';

const ID = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);

describe('a channel’s name', () => {
  it.each([
    ['General', 'general'],
    ['  Team  Lunch ', 'team-lunch'],
    ['release-2', 'release-2'],
    ['A\tB', 'a-b'],
  ])('%s becomes %s', (given, stored) => {
    expect(channelName.parse(given)).toBe(stored);
  });

  it.each(['café', 'a_b', 'a.b', '#general', 'team!', '☕'])('cannot be %s', (given) => {
    expect(sentences(channelName, given)).toEqual([
      'Channel name can only contain lowercase letters, numbers, and hyphens',
    ]);
  });

  it('is required', () => {
    for (const nothing of [undefined, '', '   '])
      expect(sentences(channelName, nothing)).toEqual(['Channel name is required']);
  });
});

describe('a conversation', () => {
  it('accepts empty participant entries, which are dropped later', () => {
    expect(sentences(createConversationBody, { type: 'group', title: 'x', participants: ['', ID] })).toEqual([]);
    expect(sentences(createConversationBody, { type: 'direct', participants: [ID] })).toEqual([]);
    expect(sentences(createConversationBody, { type: 'direct', participants: ['me'] })).toHaveLength(1);
  });

  it('of a project cannot be created by a client', () => {
    expect(createConversationBody.safeParse({ type: 'project', participants: [] }).success).toBe(false);
  });
});

describe('a message', () => {
  it('has a text of at most 10,000 characters that is not blank', () => {
    for (const blank of ['', '  \n\t']) expect(sentences(content, blank)).toEqual(['Message cannot be empty']);
    expect(sentences(content, 'x'.repeat(10_000))).toEqual([]);
    expect(sentences(content, 'x'.repeat(10_001))).toEqual(['Message must be at most 10000 characters']);
  });

  it('has the type text by default, and can have a client id', () => {
    expect(sendMessageBody.parse({ conversation: ID, content: 'hi' })).toEqual({
      conversation: ID,
      content: 'hi',
      type: 'text',
    });
    expect(sentences(sendMessageBody, { conversation: ID, content: 'hi', clientMessageId: 'mine' })).toHaveLength(1);
  });

  it('names its conversation on the socket by either field', () => {
    const send = chatClientPayloads['message:send'];
    expect(send.parse({ conversation: ID, content: 'hi' })).toMatchObject({
      conversation: ID,
      content: 'hi',
      type: 'text',
    });
    expect(send.parse({ conversationId: ID, content: 'hi' })).toMatchObject({ conversation: ID });
    expect(send.parse({ conversation: ID, conversationId: OTHER, content: 'hi' })).toMatchObject({ conversation: ID });
    expect(sentences(send, { content: 'hi' })).toEqual(['A conversation is required']);
  });
});
