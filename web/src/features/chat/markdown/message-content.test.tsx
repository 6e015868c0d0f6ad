import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { MessageContent } from './message-content.tsx';
import { prepareMessages } from './parsed-messages.ts';

const ann = buildUser('b');
const token = `<@${ann._id}>`;
const labels = { [token]: '@Ann Lee' };

beforeEach(() => act(() => signInAs(buildUser('a'))));
afterEach(cleanup);

/** Returns the HTML of a message without classes, directions, and what every link has. */
async function htmlOf(content: string): Promise<string> {
  await act(() => prepareMessages([content]));
  const { container } = render(<MessageContent content={content} labels={labels} />, { wrapper: MemoryRouter });
  return (container.firstElementChild?.innerHTML ?? '')
    .replace(/^<div[^>]*>(.*)<\/div>$/s, '$1')
    .replace(/ (?:class|dir|target|rel|title|style|scope)="[^"]*"/g, '');
}

const textOf = async (content: string) => {
  await act(() => prepareMessages([content]));
  return render(<MessageContent content={content} labels={labels} />, { wrapper: MemoryRouter }).container.textContent;
};

const EXAMPLE = 'https://example.com/';
const PICTURE = 'https://evil.example/p.png';
const A = `<a href="${EXAMPLE}">`;

describe('the text of a message', () => {
  it.each([
    ['bold', '**a** and __b__', '<p><strong>a</strong> and <strong>b</strong></p>'],
    ['italic', '*a* and _b_', '<p><em>a</em> and <em>b</em></p>'],
    ['strikethrough', '~~a~~ but ~b~', '<p><del>a</del> but ~b~</p>'],
    ['nested emphasis', '**a *b ~~c~~***', '<p><strong>a <em>b <del>c</del></em></strong></p>'],
    ['a list', '- a\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['a numbered list', '3. a\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['a nested list', '- a\n  - b', '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>'],
    ['a quote', '> a\n\nb', '<blockquote><p>a</p></blockquote><p>b</p>'],
    ['code in a line', 'a `b*c*` d', '<p>a <code>b*c*</code> d</p>'],
    ['a link', `[a](${EXAMPLE})`, `<p>${A}a</a></p>`],
    ['a link with brackets', '[a](https://x.org/b_(c))', '<p><a href="https://x.org/b_(c)">a</a></p>'],
    ['an address in bold', `**${EXAMPLE}**`, `<p><strong>${A}${EXAMPLE}</a></strong></p>`],
    [
      'a table',
      '|a|b|\n|-|-:|\n|1|*2*|',
      '<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table></div>',
    ],
    ['a heading', '## a', '<p role="heading" aria-level="4">a</p>'],
    ['an escaped character', '\\*a\\*', '<p>*a*</p>'],
    ['single newlines', '**a**\nb\n\nc', '<p><strong>a</strong>\nb</p><p>c</p>'],
    ['a mention in bold', `**${token}**, hi`, '<p><strong><bdi>@Ann Lee</bdi></strong>, hi</p>'],
    ['a mention next to letters', `x**${token}**x`, '<p>x<strong><bdi>@Ann Lee</bdi></strong>x</p>'],
    ['a mention in a link', `[${token}](${EXAMPLE})`, `<p>${A}<bdi>@Ann Lee</bdi></a></p>`],
    ['a mention in code', `\`${token}\` *a*`, `<p><code>&lt;@${ann._id}&gt;</code> <em>a</em></p>`],
    ['@here', '*<@here>*', '<p><em><bdi>@here</bdi></em></p>'],
    ['an address in code', `\`${EXAMPLE}\``, `<p><code>${EXAMPLE}</code></p>`],
    ['emoji', '**😀** 👩‍👩‍👧', '<p><strong>😀</strong> 👩‍👩‍👧</p>'],
    ['Vietnamese', '**Đã hoàn thành** rồi', '<p><strong>Đã hoàn thành</strong> rồi</p>'],
    ['Chinese and Japanese', '请看**重点**内容、*完了*です', '<p>请看<strong>重点</strong>内容、<em>完了</em>です</p>'],
    ['Arabic', '**مرحبا** بك', '<p><strong>مرحبا</strong> بك</p>'],
  ])('shows %s', async (_name, content, html) => {
    expect(await htmlOf(content)).toBe(html);
  });

  it.each([
    ['an address without markup', `${EXAMPLE}a_b_c*d*`, `<a href="${EXAMPLE}a_b_c*d">${EXAMPLE}a_b_c*d</a>*`],
    ['a calculation', '2 * 3 * 4', '2 * 3 * 4'],
    ['names with underscores', 'a_b_c', 'a_b_c'],
    ['a channel-like word', '#general', '#general'],
  ])('leaves %s as it was typed', async (_name, content, html) => {
    expect(await htmlOf(content)).toBe(html);
  });

  it('gives each paragraph its own direction', async () => {
    await act(() => prepareMessages(['**مرحبا**\n\nhello']));
    const { container } = render(<MessageContent content={'**مرحبا**\n\nhello'} />, { wrapper: MemoryRouter });
    expect([...container.querySelectorAll('p')].map(({ dir }) => dir)).toEqual(['auto', 'auto']);
  });

  it('shows a block of code with its language and a button that copies it', async () => {
    const content = `\`\`\`ts\nconst a = '**b**';\n${token}\n\`\`\``;
    await act(() => prepareMessages([content]));
    const { container, getByRole } = render(<MessageContent content={content} />, { wrapper: MemoryRouter });
    expect(container.querySelector('pre')?.textContent).toBe(`const a = '**b**';\n${token}`);
    expect(container.textContent).toMatch(/^tsconst/);
    expect(getByRole('button', { name: 'Copy code' })).toBeTruthy();
  });
});

describe('hostile text', () => {
  it.each([
    ['a script', '**a** <script>alert(1)</script>'],
    ['an image', '**a** <img src=x onerror=alert(1)> ![b](https://evil.example/p.png)'],
    ['a script address', '[a](javascript:alert(1))'],
    ['a script address with entities', '[a](java&#115;cript:alert(1)) [b](&#x6A;avascript:alert(1))'],
    ['a script address with white space', '[a](<java\nscript:alert(1)>) [b](<\tjavascript:alert(1)>)'],
    ['a data address', '[a](data:text/html;base64,PHNjcmlwdD4=)'],
    ['an address between angle brackets', '**a** <javascript:alert(1)>'],
    ['an address of this app', '[a](/api/users) [b](//evil.example)'],
    ['a definition', '[a]\n\n[a]: javascript:alert(1)\n\n**b**'],
  ])('is shown as text: %s', async (_name, content) => {
    const { body } = new DOMParser().parseFromString(await htmlOf(content), 'text/html');
    expect(body.querySelectorAll('script, img, iframe, [onerror]')).toHaveLength(0);
    expect([...body.querySelectorAll('a')].map(({ href }) => href).filter((href) => href !== PICTURE)).toEqual([]);
  });

  it('keeps an unsafe link with its address as text', async () => {
    expect(await textOf('[a](javascript:alert(1))')).toBe('[a](javascript:alert(1))');
  });

  it.each([
    ['an address', `[${EXAMPLE}](${PICTURE})`],
    ['an address with markup', `[https://exam**ple.com**](${PICTURE})`],
    ['an address among words', `[Open www.example.com/plan now](${PICTURE})`],
  ])('is no link to another site than its text names: %s', async (_name, content) => {
    const { body } = new DOMParser().parseFromString(await htmlOf(content), 'text/html');
    expect(body.querySelectorAll('a')).toHaveLength(0);
    expect(body.textContent).toContain(`](${PICTURE})`);
  });

  it('can be a link whose text is an address of the same site', async () => {
    expect(await htmlOf(`[${EXAMPLE}](${EXAMPLE}plan)`)).toBe(`<p><a href="${EXAMPLE}plan">${EXAMPLE}</a></p>`);
  });

  it('takes private-use characters for nothing but themselves', async () => {
    expect(await textOf(`**\u{f0000}** \u{f0001} ${EXAMPLE}`)).toBe(`\u{f0000} \u{f0001} ${EXAMPLE}`);
  });
});
