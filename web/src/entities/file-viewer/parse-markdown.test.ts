import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from './parse-markdown.ts';

describe('parseMarkdown', () => {
  it('returns a tree of elements', () => {
    const { children } = parseMarkdown('# The *plan*');
    expect(children).toMatchObject([{ tagName: 'h1', children: [{ value: 'The ' }, { tagName: 'em' }] }]);
  });

  it('keeps embedded HTML as text', () => {
    const json = JSON.stringify(parseMarkdown('<script>1</script>\n\nand <img src=x onerror=1> here'));
    expect(json).not.toContain('raw');
    expect(json).toContain('<script>1</script>');
    expect(json).toContain('<img src=x onerror=1>');
  });

  it('throws for a document that is too deep or too large', () => {
    expect(parseMarkdown('>'.repeat(40))).toMatchObject({ type: 'root' });
    expect(() => parseMarkdown('>'.repeat(200))).toThrow(RangeError);
    expect(() => parseMarkdown('>'.repeat(8_000))).toThrow(RangeError);
    expect(() => parseMarkdown('*a* b\n\n'.repeat(8_000))).toThrow('20000 elements');
  });
});
