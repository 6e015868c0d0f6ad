import { describe, expect, it } from '@jest/globals';
import { htmlToText } from './html-to-text.ts';
import { extractReplyText } from './reply-text.ts';

const SENDER = 'no-reply@atrium.example.org';
const extract = (...lines: string[]) => extractReplyText(lines.join('\r\n'), SENDER);
const NOTIFICATION = ['Draw the plan', 'Paul Manager commented on this task.', 'Reply to this email to comment.'];
const QUOTE = NOTIFICATION.map((line) => `> ${line}`);

describe('extractReplyText removes the quote of', () => {
  it.each<[string, string[]]>([
    ['Gmail', ['On Mon, Nov 30, 2026 at 10:34 AM Northwind <no-reply@atrium.example.org>', 'wrote:', '', ...QUOTE]],
    [
      'Gmail in Vietnamese',
      ['Vào Th 2, 30 thg 11, 2026 vào lúc 17:34 Northwind <', 'no-reply@atrium.example.org> đã viết:', '', ...QUOTE],
    ],
    [
      'Gmail in Hebrew',
      [
        '\u202bבתאריך יום ב׳, 30 בנוב׳ 2026 ב-12:34 מאת \u202aNorthwind\u202c\u200f <\u202ano-reply@atrium.example.org\u202c\u200f>:\u202c',
        '',
        ...QUOTE,
      ],
    ],
    ['Gmail in Japanese', ['2026年11月30日(月) 19:34 Northwind <no-reply@atrium.example.org>:', '', ...QUOTE]],
    ['Apple Mail', ['> On Nov 30, 2026, at 10:34, Northwind <no-reply@atrium.example.org> wrote:', '> ', ...QUOTE]],
    [
      'Apple Mail, without marks',
      ['On Nov 30, 2026, at 10:34, Northwind <no-reply@atrium.example.org> wrote:', '', ...NOTIFICATION],
    ],
    ['Thunderbird', ['On 11/30/26 10:34, Northwind wrote:', ...QUOTE]],
    ['Thunderbird in German', ['Am 30.11.26 um 10:34 schrieb Northwind:', ...QUOTE]],
    [
      'Outlook',
      [
        '________________________________',
        'From: Northwind <no-reply@atrium.example.org>',
        'Sent: Monday, November 30, 2026 10:34 AM',
        'To: Mia Member <mia@example.org>',
        'Subject: Draw the plan',
        '',
        ...NOTIFICATION,
      ],
    ],
    [
      'Outlook in Hebrew',
      [
        'מאת: Northwind <no-reply@atrium.example.org>',
        'נשלח: יום שני 30 נובמבר 2026 12:34',
        'אל: Mia',
        '',
        ...NOTIFICATION,
      ],
    ],
    [
      'Outlook in Vietnamese',
      ['Từ: Northwind <no-reply@atrium.example.org>', 'Đã gửi: Thứ Hai, 30 Tháng Mười Một 2026', '', ...NOTIFICATION],
    ],
    [
      'Outlook with another sender name',
      ['-----Original Message-----', 'From: Northwind', 'Sent: Monday', '', ...NOTIFICATION],
    ],
    [
      'Zoho',
      ['---- On Mon, 30 Nov 2026 10:34 Northwind <no-reply@atrium.example.org> wrote ----', '', ...NOTIFICATION],
    ],
    [
      'Proton',
      ['-------- Original Message --------', 'From: Northwind <no-reply@atrium.example.org>', '', ...NOTIFICATION],
    ],
  ])('%s', (_program, quote) => {
    expect(extract('Looks good.', '', 'See you at ten.', '', ...quote, '')).toBe('Looks good.\n\nSee you at ten.');
    expect(extract(...quote, '')).toBe('');
  });
});

describe('extractReplyText', () => {
  it('returns text in right-to-left and tonal scripts as written', () => {
    expect(extract('נראה טוב, תודה!', 'אפשר להתחיל מחר.', '', ...QUOTE)).toBe('נראה טוב, תודה!\nאפשר להתחיל מחר.');
    expect(extract('Được rồi, cảm ơn anh!', '', ...QUOTE)).toBe('Được rồi, cảm ơn anh!');
  });

  it('returns the text below a quote, and between its parts', () => {
    const introduction = 'On Mon, Nov 30, 2026 at 10:34 AM Northwind <no-reply@atrium.example.org> wrote:';
    expect(extract(introduction, ...QUOTE, '', 'Below.')).toBe('Below.');
    expect(extract('First:', '', introduction, '> One?', '', 'Yes.', '', '> Two?', '', 'No.')).toBe(
      'First:\n\nYes.\n\nNo.',
    );
  });

  it('keeps text directly above the introduction of a quote', () => {
    expect(extract('Looks good.', 'On 11/30/26 10:34, Northwind wrote:', ...QUOTE)).toBe('Looks good.');
    expect(extract('Looks good.', `From: Northwind <${SENDER}>`, 'Sent: Monday', 'To: Mia', ...NOTIFICATION)).toBe(
      'Looks good.',
    );
  });

  it('removes the signature, and what phones add', () => {
    expect(extract('Fine.', '', '-- ', 'Mia Member', 'Northwind', '', ...QUOTE)).toBe('Fine.');
    expect(extract('Fine.', '', 'Sent from my iPhone', '', ...QUOTE)).toBe('Fine.');
    expect(extract('Fine.', '', 'Gesendet von meinem iPhone', '', ...QUOTE)).toBe('Fine.');
  });

  it.each([
    'Before\n\n---\n\nAfter',
    'Best regards from Paris\n\nThe plan follows.',
    'Two points: one\nFrom: the first page\nTo: the last page',
    'The email came from no-reply@atrium.example.org.\n\nIs that right?',
    'On Monday we wrote:\n\nall of it',
    'Note: no-reply@atrium.example.org is the sender.\n\nKeep this.',
  ])('keeps text that resembles a quote or signature: %j', (text) => {
    expect(extractReplyText(text, SENDER)).toBe(text);
  });

  it('takes little time for a long text of any lines', () => {
    const startUsage = process.cpuUsage();
    for (const line of [
      SENDER,
      `From: ${SENDER}`,
      '> ',
      '-',
      'On 10:34 ',
      ' ',
      '\n',
      '__________\n',
      '> \n\n10:34:\n',
      'a:\n',
    ])
      extractReplyText(line.repeat(Math.ceil(200_000 / line.length)), SENDER);
    expect(process.cpuUsage(startUsage).user / 1_000).toBeLessThan(10_000);
  });
});

describe('htmlToText', () => {
  it('marks the quote of Gmail, so that it is removed', () => {
    const html = `<div dir="rtl">נראה טוב&nbsp;&amp; תודה<br>עד <b>מחר</b></div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Nov 30, 2026 at 10:34 AM Northwind &lt;<a href="mailto:${SENDER}">${SENDER}</a>&gt; wrote:<br></div><blockquote class="gmail_quote"><h1>Draw the plan</h1><p>Paul commented</p></blockquote></div>`;
    expect(htmlToText(html)).toContain('> Draw the plan');
    expect(extractReplyText(htmlToText(html), SENDER)).toBe('נראה טוב & תודה\nעד מחר');
  });

  it('converts an email of Outlook, whose paragraphs are lines', () => {
    const html = `<html><head><title>x</title><style>p {}</style></head><body><p class="MsoNormal">Looks good.</p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">See you.</p><div style="border-top:solid"><p class="MsoNormal"><b>From:</b> Northwind &lt;${SENDER}&gt;<br><b>Sent:</b> Monday<br><b>To:</b> Mia</p></div><p class="MsoNormal">Draw the plan</p></body></html>`;
    expect(extractReplyText(htmlToText(html), SENDER)).toBe('Looks good.\n\nSee you.');
  });

  it('converts lists, paragraphs, and links that hide where they lead', () => {
    expect(
      htmlToText(
        '<p>One</p><p>Two <a href="https://example.org/plan">here</a>, <a href="https://example.org/">example.org</a></p><ul><li>a<li>b</ul><script>x</script>',
      ),
    ).toBe('One\n\nTwo here (https://example.org/plan), example.org\n\n- a\n- b');
  });

  it('returns an empty text for an email that is nested too deeply, and takes little time', () => {
    const startUsage = process.cpuUsage();
    expect(htmlToText('<div>'.repeat(40_000))).toBe('');
    expect(htmlToText('<blockquote><b>'.repeat(13_000))).toBe('');
    htmlToText('<b></b><br>'.repeat(18_000));
    htmlToText('<a href="https://example.org">x'.repeat(6_000));
    expect(process.cpuUsage(startUsage).user / 1_000).toBeLessThan(10_000);
  });
});
