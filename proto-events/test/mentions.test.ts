import { describe, expect, it } from '@jest/globals';
import {
  findMentions,
  listMentions,
  MAX_MENTIONED_USERS,
  mentionOf,
  mentionOfGroup,
  mentionsGroups,
} from '../src/text/mentions.ts';

const [ANN, BEN] = ['a'.repeat(24), 'b'.repeat(24)] as [string, string];

describe('mentions', () => {
  it('are tokens in the content, each user once', () => {
    const content = `${mentionOf(ANN)} and ${mentionOf(BEN)}, ${mentionOf(ANN)}: see <#${BEN}>`;
    expect(listMentions(content)).toEqual({ users: [ANN, BEN], here: false, everyone: false, groups: [] });
    expect(findMentions(content).map(({ at, text }) => content.slice(at, at + text.length) === text)).toEqual(
      Array(4).fill(true),
    );
    expect(findMentions(content).at(-1)).toMatchObject({ kind: 'conversation', id: BEN });
  });

  it('can be of everyone, and of everyone who is online', () => {
    expect(listMentions('<@here> lunch')).toEqual({ users: [], here: true, everyone: false, groups: [] });
    expect(listMentions('lunch <@everyone>')).toEqual({ users: [], here: false, everyone: true, groups: [] });
  });

  it('can be of departments and projects, each once', () => {
    const [department, project] = [
      { type: 'department', id: ANN },
      { type: 'project', id: BEN },
    ] as const;
    const content = `${mentionOfGroup(department)} ${mentionOfGroup(project)} ${mentionOfGroup(department)}`;
    expect(listMentions(content)).toEqual({ users: [], here: false, everyone: false, groups: [department, project] });
    expect(
      [content, '<@here>', '<@everyone>', mentionOf(ANN), `<#${ANN}>`].map((text) =>
        mentionsGroups(listMentions(text)),
      ),
    ).toEqual([true, true, true, false, false]);
  });

  it.each([
    '@ann',
    `<@${ANN.slice(1)}>`,
    `<@${ANN.toUpperCase()}>`,
    '<@channel>',
    `<@team:${ANN}>`,
    '<@department:>',
    `\`${mentionOf(ANN)}\``,
    `\`\` \` ${mentionOf(ANN)} \`\``,
    `\`\`\`\n${mentionOf(ANN)}\n\`\`\``,
    `before\n~~~ts\n${mentionOf(ANN)}\n\nnever ended`,
    `\`\`\`\ncode\n\`\`\` more\n${mentionOf(ANN)}\n\`\`\``,
    `\\\\\`${mentionOf(ANN)}\``,
  ])('are none in %j', (content) => {
    expect(listMentions(content).users).toEqual([]);
  });

  it.each([
    `\`code\` ${mentionOf(ANN)} \`code\``,
    `a \` alone ${mentionOf(ANN)}`,
    `a \` alone\n \n${mentionOf(ANN)} \``,
    `\\\`${mentionOf(ANN)}\``,
    `\`\`\` \`\n${mentionOf(ANN)}`,
    `\`\`\`\ncode\n\`\`\`\n${mentionOf(ANN)}`,
  ])('are found next to code in %j', (content) => {
    expect(listMentions(content).users).toEqual([ANN]);
  });

  it('notify a limited number of users', () => {
    const content = Array.from({ length: 300 }, (_, n) => mentionOf(n.toString(16).padStart(24, '0'))).join('');
    expect(listMentions(content).users).toHaveLength(MAX_MENTIONED_USERS);
  });

  const runs = Array.from({ length: 139 }, (_, n) => '`'.repeat(n + 1)).join(' ');
  it.each([runs, '`a`<@here>'.repeat(1_000), '```\n<@here>\n'.repeat(800)])(
    'are found next to much code within the time for as many without code',
    (content) => {
      const time = (text: string) => {
        const times = Array.from({ length: 10 }, () => {
          const start = performance.now();
          findMentions(text);
          return performance.now() - start;
        });
        return Math.min(...times);
      };
      expect(time(`${content}<@here>`) / time('-aaa<@here>'.repeat(1_000))).toBeLessThan(10);
    },
  );

  it.each(['<@'.repeat(5_000), '`'.repeat(10_000), '` '.repeat(5_000), '~~~\n'.repeat(2_500)])(
    'are found in linear time in hostile text',
    (content) => {
      const startedAt = process.cpuUsage();
      findMentions(`${content}<`);
      expect(process.cpuUsage(startedAt).user).toBeLessThan(200_000);
    },
  );
});
