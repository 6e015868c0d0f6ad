import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { toDraft } from './message-draft.ts';

const ORIGIN = 'https://atrium.example';
const ANN = { _id: 'a'.repeat(24), firstName: 'Ann', lastName: 'Lee' };
const MENTIONS = { users: [ANN], here: false, everyone: false, groups: [] };
const draft = (content: string) => toDraft({ ...buildMessage(1), content, mentions: MENTIONS }, ORIGIN);

describe('a draft from a message', () => {
  it.each([
    ['## Fix **the** `login`', 'Fix the login'],
    ['- [ ] ***Ship*** ~~it~~', 'Ship it'],
    ['> see [the plan](https://example.com/plan)', 'see the plan'],
    ['1. snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['__Bold__ and _soft_ words', 'Bold and soft words'],
    [`Ask <@${ANN._id}> about it`, 'Ask @Ann Lee about it'],
    ['an *unfinished line', 'an *unfinished line'],
  ])('takes its title from the first line without markup: %s', (content, title) => {
    expect(draft(content).title).toBe(title);
  });

  it('takes its description from the rest, with a link to the message', () => {
    const { conversation, seq } = buildMessage(1);
    const link = `${ORIGIN}/chat?c=${conversation}&m=${seq}`;
    expect(draft('Title\n\n**First** point\nSecond').description).toBe(`**First** point\nSecond\n\n${link}`);
    expect(draft('Title').description).toBe(link);
  });

  it('keeps a long first line whole in the description', () => {
    const line = `a${'👍'.repeat(200)}`;
    const { title, description } = draft(`${line}\nmore`);
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title).toMatch(/^a(?:👍)+…$/u);
    expect(description.startsWith(`${line}\nmore\n\n`)).toBe(true);
    expect(draft(`Title\n${'x'.repeat(9_000)}`).description).toHaveLength(5_000);
  });
});
