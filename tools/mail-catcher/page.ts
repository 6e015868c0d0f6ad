import { readFileSync } from 'node:fs';
import type { Mail } from './read-mail.ts';

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

// Reloads the list when mail arrives, but not while a message is open.
const createListScript = (count: number): string => `
  setInterval(async () => {
    const response = await fetch('api/messages' + location.search).catch(() => undefined);
    if (response && (await response.json()).total !== ${count}) location.reload();
  }, 2000);
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString();`;

type Root = './' | '../';

const renderPage = (root: Root, title: string, content: string, script: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><base href="${root}"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Atrium mailbox</title><style>${style}</style></head>
<body><header><a href="./"><strong>Atrium</strong> mailbox</a><span>Emails from this Atrium are stored here and not delivered.</span></header>
<main>${content}</main><script>${script}</script></body></html>`;

const renderTime = (at: string): string => `<time datetime="${at}">${at}</time>`;

const renderRow = ({ id, from, recipients, subject, receivedAt, calendar }: Mail): string => `
<li><a href="messages/${id}">
  <span class="to">${escapeHtml(recipients.join(', '))}</span>
  <span class="subject">${escapeHtml(subject || '(no subject)')}${calendar ? '<em>calendar</em>' : ''}</span>
  <span class="from">${escapeHtml(from)}</span>${renderTime(receivedAt)}
</a></li>`;

export const renderListPage = (mails: Mail[], to: string | undefined): string => {
  const heading = to ? `Mail to ${escapeHtml(to)} <a href="./">show all</a>` : 'All mail';
  const list = mails.length
    ? `<ul class="mails">${mails.map(renderRow).join('')}</ul>`
    : '<p class="empty">No mail yet. New mail appears here automatically.</p>';
  return renderPage('./', 'All mail', `<h1>${heading}</h1>${list}`, createListScript(mails.length));
};

const renderSection = (title: string, body: string): string => `<section><h2>${title}</h2>${body}</section>`;

const renderParts = ({ id, html, text, calendar, attachments }: Mail): string =>
  [
    html
      ? `<iframe title="Email content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="messages/${id}/html"></iframe>`
      : '',
    text ? renderSection('Text', `<pre>${linkUrls(text)}</pre>`) : '',
    calendar
      ? renderSection(`Calendar ${escapeHtml(calendar.method ?? '')}`, `<pre>${escapeHtml(calendar.content)}</pre>`)
      : '',
    attachments.length
      ? renderSection(
          'Attachments',
          `<ul>${attachments.map(({ name, type, size }) => `<li>${escapeHtml(name)} · ${escapeHtml(type)} · ${size} bytes</li>`).join('')}</ul>`,
        )
      : '',
  ].join('');

const linkUrls = (text: string): string =>
  escapeHtml(text).replace(
    /https?:\/\/[^\s<>]+/g,
    (link) => `<a href="${link}" target="_blank" rel="noreferrer">${link}</a>`,
  );

export const renderMailPage = (mail: Mail): string => {
  const details = `<dl><dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>To</dt><dd>${mail.recipients.map((to) => `<a href="./?to=${encodeURIComponent(to)}">${escapeHtml(to)}</a>`).join(', ')}</dd><dt>Received</dt><dd>${renderTime(mail.receivedAt)}</dd></dl>`;
  const remove = `<nav><a href="messages/${mail.id}/source">Source</a><button id="delete">Delete</button></nav>`;
  const script = `
  for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString();
  document.getElementById('delete').onclick = async () => { await fetch('api/messages/${mail.id}', { method: 'DELETE' }); location.href = document.baseURI; };`;
  return renderPage(
    '../',
    mail.subject || '(no subject)',
    `<h1>${escapeHtml(mail.subject || '(no subject)')}</h1>${details}${remove}${renderParts(mail)}`,
    script,
  );
};

export const renderNotFoundPage = (): string => renderPage('./', 'Not found', '<h1>Email not found</h1>', '');
