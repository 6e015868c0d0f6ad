import { describe, expect, it } from '@jest/globals';
import { channelName } from '../src/http/chat/channel-settings.ts';
import { createConversationBody } from '../src/http/chat/conversations.ts';
import { content } from '../src/http/chat/message-text.ts';
import { sendMessageBody } from '../src/http/chat/sending.ts';
import { chatClientPayloads } from '../src/realtime.ts';
import { sentences } from './sentences.ts';

const ID = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);

describe('a channel name', () => {
  it.each([
    ['General', 'general'],
    ['  Team  Lunch ', 'team-lunch'],
    ['release-2', 'release-2'],
    ['A\tB', 'a-b'],
  ])('%s becomes %s', (input, stored) => {
    expect(channelName.parse(input)).toBe(stored);
  });

  it.each(['café', 'a_b', 'a.b', '#general', 'team!', '☕'])('cannot be %s', (input) => {
    expect(sentences(channelName, input)).toEqual([
      'Channel name can only contain lowercase letters, numbers, and hyphens',
    ]);
  });

  it('is required', () => {
    for (const blankInput of [undefined, '', '   '])
      expect(sentences(channelName, blankInput)).toEqual(['Channel name is required']);
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
  it('has 1 to 10,000 characters of text that is not blank', () => {
    for (const blank of ['', '  \n\t']) expect(sentences(content, blank)).toEqual(['Message cannot be empty']);
    expect(sentences(content, 'x'.repeat(10_000))).toEqual([]);
    expect(sentences(content, 'x'.repeat(10_001))).toEqual(['Message must be at most 10000 characters']);
  });

  it('has the type text by default, and can have a client id', () => {
    expect(sendMessageBody.parse({ conversation: ID, content: 'hi' })).toEqual({
      conversation: ID,
      content: 'hi',
      type: 'text',
      alsoInConversation: false,
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
