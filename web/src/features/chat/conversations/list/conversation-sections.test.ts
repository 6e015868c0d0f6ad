import type { Conversation, Preferences } from '@atrium/proto-events/http/chat/conversations';
import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '#test/build-conversation.ts';
import { filterConversations, NO_FILTER, sectionNames, toSections, withoutCollapsed } from './conversation-sections.ts';

const maya = { _id: 'a'.repeat(24), firstName: 'Maya', lastName: 'Okafor' };
const lena = { _id: 'b'.repeat(24), firstName: 'Léna', lastName: 'Brandt' };

const build = (title: string, preferences: Partial<Preferences> = {}, type: Conversation['type'] = 'group') =>
  buildConversation({
    _id: title,
    type,
    title: type === 'direct' ? null : title,
    participants: type === 'direct' ? [maya, lena] : [],
    preferences: { ...buildConversation().preferences, ...preferences },
  });

const titles = (conversations: readonly Conversation[]) => conversations.map(({ _id }) => _id);

describe('sections of the conversation list', () => {
  it('are the starred ones, own sections by name, channels, and direct messages, in the order given', () => {
    const sections = toSections([
      build('direct-1', {}, 'direct'),
      build('general'),
      build('ops-10', { section: 'Team 10' }),
      build('project', {}, 'project'),
      build('starred', { starred: true, section: 'Team 2' }),
      build('ops-2', { section: 'Team 2' }, 'direct'),
    ]);
    expect(sections.map(({ title, conversations }) => [title, titles(conversations)])).toEqual([
      ['Starred', ['starred']],
      ['Team 2', ['ops-2']],
      ['Team 10', ['ops-10']],
      ['Channels', ['general', 'project']],
      ['Direct messages', ['direct-1']],
    ]);
  });

  it('contain each conversation once, and are omitted if they are empty', () => {
    expect(toSections([])).toEqual([]);
    expect(toSections([build('only', { starred: true, section: 'Own' })]).map(({ title }) => title)).toEqual([
      'Starred',
    ]);
  });

  it('keep a section of the user apart from a built-in one of the same name', () => {
    const sections = toSections([build('mine', { section: 'Channels' }), build('theirs')]);
    expect(sections.map(({ title, conversations }) => [title, titles(conversations)])).toEqual([
      ['Channels', ['mine']],
      ['Channels', ['theirs']],
    ]);
    expect(new Set(sections.map(({ id }) => id)).size).toBe(2);
  });

  it('show only unread conversations that are not muted, and the open one, while they are collapsed', () => {
    const conversations = [build('read'), build('unread'), build('muted', { notify: 'none' }), build('open')];
    const state = { selected: 'open', unreadIds: new Set(['unread', 'muted']) };
    const section = { id: 'channels', title: 'Channels', conversations };
    expect(titles(withoutCollapsed(section, state).conversations)).toEqual(['unread', 'open']);
  });

  it('have names that are listed once', () => {
    const inSection = (name: string, section: string) => build(name, { section });
    expect(sectionNames([inSection('a', 'Work'), inSection('b', 'Home'), inSection('c', 'Work')])).toEqual([
      'Home',
      'Work',
    ]);
  });
});

describe('the filter of the conversation list', () => {
  const conversations = [
    build('general'),
    build('muted', { notify: 'none' }),
    build('hidden', { hidden: true }),
    build('with-lena', {}, 'direct'),
  ];
  const filter = (overrides: Partial<typeof NO_FILTER>, unread: string[] = [], selected: string | null = null) =>
    titles(
      filterConversations(
        conversations,
        { ...NO_FILTER, ...overrides },
        { currentUserId: maya._id, selected, unreadIds: new Set(unread) },
      ),
    );

  it('omits hidden conversations until they have unread messages or are open', () => {
    expect(filter({})).toEqual(['general', 'muted', 'with-lena']);
    expect(filter({}, ['hidden'])).toEqual(['general', 'muted', 'hidden', 'with-lena']);
    expect(filter({}, [], 'hidden')).toEqual(['general', 'muted', 'hidden', 'with-lena']);
  });

  it('finds names, also of users and of hidden conversations', () => {
    expect(filter({ text: 'lena br' })).toEqual(['with-lena']);
    expect(filter({ text: 'HID' })).toEqual(['hidden']);
    expect(filter({ text: 'nothing' }, [], 'general')).toEqual([]);
    expect(filter({ text: '  ' })).toEqual(filter({}));
  });

  it('for unread conversations keeps the open one, and omits muted ones', () => {
    expect(filter({ isUnreadOnly: true }, ['muted', 'with-lena'], 'general')).toEqual(['general', 'with-lena']);
    expect(filter({ isUnreadOnly: true, text: 'gen' }, ['with-lena'], 'general')).toEqual([]);
  });
});
