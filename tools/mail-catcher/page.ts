import { readFileSync } from 'node:fs';
import type { Mail } from './read-mail.ts';

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

// Reloads the list on new mail, but not while a message is open.
const watchScript = (count: number): string => `
  setInterval(async () => {
    const response = await fetch('api/messages' + location.search).catch(() => undefined);
    if (response && (await response.json()).total !== ${count}) location.reload();
  }, 2000);
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString();`;

type Root = './' | '../';

const frame = (root: Root, title: string, content: string, script: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><base href="${root}"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Atrium mailbox</title><style>${style}</style></head>
<body><header><a href="./"><strong>Atrium</strong> mailbox</a><span>Mail sent by this start of Atrium stays here and reaches nobody.</span></header>
<main>${content}</main><script>${script}</script></body></html>`;

const time = (at: string): string => `<time datetime="${at}">${at}</time>`;

const row = ({ id, from, recipients, subject, receivedAt, calendar }: Mail): string => `
<li><a href="messages/${id}">
  <span class="to">${escapeHtml(recipients.join(', '))}</span>
  <span class="subject">${escapeHtml(subject || '(no subject)')}${calendar ? '<em>calendar</em>' : ''}</span>
  <span class="from">${escapeHtml(from)}</span>${time(receivedAt)}
</a></li>`;

export const listPage = (mails: Mail[], to: string | undefined): string => {
  const heading = to ? `Mail to ${escapeHtml(to)} <a href="./">show all</a>` : 'All mail';
  const list = mails.length
    ? `<ul class="mails">${mails.map(row).join('')}</ul>`
    : '<p class="empty">No mail yet. New mail appears here automatically.</p>';
  return frame('./', 'All mail', `<h1>${heading}</h1>${list}`, watchScript(mails.length));
};

const section = (title: string, body: string): string => `<section><h2>${title}</h2>${body}</section>`;

const parts = ({ id, html, text, calendar, attachments }: Mail): string =>
  [
    html
      ? `<iframe title="Email content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="messages/${id}/html"></iframe>`
      : '',
    text ? section('Text', `<pre>${linked(text)}</pre>`) : '',
    calendar
      ? section(`Calendar ${escapeHtml(calendar.method ?? '')}`, `<pre>${escapeHtml(calendar.content)}</pre>`)
      : '',
    attachments.length
      ? section(
          'Attachments',
          `<ul>${attachments.map(({ name, type, size }) => `<li>${escapeHtml(name)} · ${escapeHtml(type)} · ${size} bytes</li>`).join('')}</ul>`,
        )
      : '',
  ].join('');

const linked = (text: string): string =>
  escapeHtml(text).replace(
    /https?:\/\/[^\s<>]+/g,
    (link) => `<a href="${link}" target="_blank" rel="noreferrer">${link}</a>`,
  );

export const mailPage = (mail: Mail): string => {
  const facts = `<dl><dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>To</dt><dd>${mail.recipients.map((to) => `<a href="./?to=${encodeURIComponent(to)}">${escapeHtml(to)}</a>`).join(', ')}</dd><dt>Received</dt><dd>${time(mail.receivedAt)}</dd></dl>`;
  const remove = `<nav><a href="messages/${mail.id}/source">Source</a><button id="delete">Delete</button></nav>`;
  const script = `
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString();
  document.getElementById('delete').onclick = async () => { await fetch('api/messages/${mail.id}', { method: 'DELETE' }); location.href = document.baseURI; };`;
  return frame(
    '../',
    mail.subject || '(no subject)',
    `<h1>${escapeHtml(mail.subject || '(no subject)')}</h1>${facts}${remove}${parts(mail)}`,
    script,
  );
};

export const missingPage = (): string => frame('./', 'Not found', '<h1>Email not found</h1>', '');
