import { describe, expect, it } from '@jest/globals';
import { attachmentDisposition } from './download-link.ts';

describe('attachmentDisposition', () => {
  it('escapes quotes and line breaks, and adds the exact name', () => {
    expect(attachmentDisposition('Übersicht "Q3".pdf', 'pdf')).toBe(
      `attachment; filename="_bersicht _Q3_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%22Q3%22.pdf`,
    );
    expect(attachmentDisposition('a\r\nSet-Cookie: x=1', '')).not.toMatch(/[\r\n]/);
    expect(attachmentDisposition("it's (1)*.txt", 'txt')).toContain("filename*=UTF-8''it%27s%20%281%29%2A.txt");
  });

  it('restores the extension of a renamed document', () => {
    expect(attachmentDisposition('Quarter three', 'pdf')).toContain('filename="Quarter three.pdf"');
    expect(attachmentDisposition('Plan 1/2', 'txt')).toContain('filename="Plan 1-2.txt"');
    expect(attachmentDisposition('page.html', 'pdf')).toContain('filename="page.html"');
  });
});
