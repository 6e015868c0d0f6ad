import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { conversationName } from './conversation.ts';
import { conversationPreview } from './conversation-labels.ts';

const maya = { _id: 'a'.repeat(24), firstName: 'Maya', lastName: 'Okafor' };
const lena = { _id: 'b'.repeat(24), firstName: 'Lena', lastName: 'Brandt' };

describe('conversation labels', () => {
  it('names a conversation by its title, or by the other participant', () => {
    expect(conversationName(buildConversation(), maya._id)).toBe('design-review');
    expect(
      conversationName(buildConversation({ type: 'direct', title: null, participants: [maya, lena] }), maya._id),
    ).toBe('Lena Brandt');
  });

  it('shows the last message, otherwise the number of members', () => {
    const participants = [maya, lena];
    expect(conversationPreview(buildConversation({ participants }))).toBe('2 members');
    expect(conversationPreview(buildConversation({ type: 'direct', participants }))).toBe('2 participants');
    const lastMessage = buildMessage(1, { content: 'two\nlines' });
    expect(conversationPreview(buildConversation({ lastMessage }))).toBe('two lines');
    const deleted = buildMessage(1, { content: '', deleted: true });
    expect(conversationPreview(buildConversation({ lastMessage: deleted }))).toBe('Message deleted');
  });

  it('shows the names of the users in the last message', () => {
    const mentions = { users: [lena], here: false, everyone: true, groups: [] };
    const content = `<@everyone>, <@${lena._id}> has left <#${'d'.repeat(24)}>`;
    const lastMessage = buildMessage(1, { content, mentions });
    expect(conversationPreview(buildConversation({ lastMessage }))).toBe('@everyone, @Lena Brandt has left #unknown');
  });

  it('shows the attachments of a last message without text', () => {
    const file = (name: string, mimetype: string) => ({ _id: 'f'.repeat(24), name, size: 1, mimetype });
    const photo = file('harbour.png', 'image/png');
    const plan = file('plan.pdf', 'application/pdf');
    const preview = (attachments: (typeof photo)[], content = '') =>
      conversationPreview(buildConversation({ lastMessage: buildMessage(1, { content, attachments }) }));
    expect(preview([photo])).toBe('Photo');
    expect(preview([photo, photo, photo])).toBe('3 photos');
    expect(preview([plan])).toBe('File: plan.pdf');
    expect(preview([photo, plan])).toBe('2 files');
    expect(preview([plan], 'the plan')).toBe('the plan');
  });
});
