import { findMentions, mentionOf } from '@atrium/proto-events/text/mentions';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { parseMessage } from './parse-message.ts';

const MENTION = 'mention';
const fragments = [
  '`',
  '``',
  '```',
  '````',
  '~~~',
  '\\',
  '\n',
  '\n\n',
  ' ',
  'a',
  '\n```\n',
  '\n~~~ts\n',
  MENTION,
  MENTION,
];
/** Each mention is of a different user. */
const content = fc
  .array(fc.constantFrom(...fragments), { maxLength: 25 })
  .map((texts) => texts.map((text, index) => (text === MENTION ? mentionOf(toId(index)) : text)).join(''));
const toId = (index: number) => index.toString(16).padStart(24, '0');

/** Returns the text outside of code. */
function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('\n') : '';
}

describe('mentions', () => {
  it('are in code where the parser of messages finds code', () => {
    fc.assert(
      fc.property(content, (text) => {
        const root = parseMessage(text);
        const shown = root === null ? '' : textOf(root);
        const found = findMentions(text).map((mention) => mention.text);
        expect(found).toEqual([...shown.matchAll(/<@[0-9a-f]{24}>/g)].map(([mention]) => mention));
      }),
      { numRuns: 5_000 },
    );
  });
});
