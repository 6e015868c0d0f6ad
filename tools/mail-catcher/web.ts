import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { MailStore } from './mail-store.ts';
import { renderListPage, renderMailPage, renderNotFoundPage } from './page.ts';
import type { Mail } from './read-mail.ts';

interface PageResponse {
  status?: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

interface Mailbox {
  store: MailStore;
  token: string;
}

type Route = (store: MailStore, match: { id: string; to: string | undefined }) => PageResponse | Promise<PageResponse>;

const json = (value: unknown, status = 200): PageResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const html = (body: string, status = 200): PageResponse => ({ status, type: 'text/html; charset=utf-8', body });
const NO_CONTENT: PageResponse = { status: 204, type: 'text/plain', body: '' };
const NOT_FOUND = json({ message: 'Email not found' }, 404);

const toSummary = ({ id, receivedAt, messageId, from, recipients, subject }: Mail) => ({
  id,
  receivedAt,
  messageId,
  from,
  recipients,
  subject,
});

// Email HTML is untrusted, so it must neither run scripts nor load anything but images.
const HTML_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:";

const showHtml: Route = (store, { id }) => {
  const mail = store.find(id);
  if (!mail?.html) return html(renderNotFoundPage(), 404);
  const withTarget = `<base target="_blank">${mail.html}`;
  return { ...html(withTarget), headers: { 'content-security-policy': HTML_POLICY } };
};

const showSource: Route = async (store, { id }) => {
  const raw = await store.readSource(id);
  return raw ? { type: 'text/plain; charset=utf-8', body: raw } : html(renderNotFoundPage(), 404);
};

const showMail: Route = (store, { id }) => {
  const mail = store.find(id);
  return mail ? html(renderMailPage(mail)) : html(renderNotFoundPage(), 404);
};

const routes: [method: string, path: RegExp, route: Route][] = [
  ['GET', /^\/$/, (store, { to }) => html(renderListPage(store.list(to), to))],
  ['GET', /^\/messages\/(?<id>[\w-]+)$/, showMail],
  ['GET', /^\/messages\/(?<id>[\w-]+)\/html$/, showHtml],
  ['GET', /^\/messages\/(?<id>[\w-]+)\/source$/, showSource],
  [
    'GET',
    /^\/api\/messages$/,
    (store, { to }) => json({ data: store.list(to).map(toSummary), total: store.list(to).length }),
  ],
  ['GET', /^\/api\/messages\/(?<id>[\w-]+)$/, (store, { id }) => (store.find(id) ? json(store.find(id)) : NOT_FOUND)],
  ['DELETE', /^\/api\/messages$/, async (store, { to }) => json({ deleted: await store.removeAll(to) })],
  [
    'DELETE',
    /^\/api\/messages\/(?<id>[\w-]+)$/,
    async (store, { id }) => ((await store.remove(id)) ? NO_CONTENT : NOT_FOUND),
  ],
];

const handleRequest = async ({ store, token }: Mailbox, request: IncomingMessage): Promise<PageResponse> => {
  const url = new URL(request.url ?? '/', 'http://mailbox');
  if (url.pathname === '/readyz') return json({ status: 'ok' });
  if (url.pathname === `/${token}`) return { ...NO_CONTENT, status: 302, headers: { location: `/${token}/` } };
  // Other local users can reach this port and must not read links in emails.
  if (!url.pathname.startsWith(`/${token}/`)) return html(renderNotFoundPage(), 404);
  const path = url.pathname.slice(token.length + 1);
  for (const [method, pattern, route] of routes) {
    const match = request.method === method ? pattern.exec(path) : null;
    if (match) return route(store, { id: match.groups?.id ?? '', to: url.searchParams.get('to') ?? undefined });
  }
  return html(renderNotFoundPage(), 404);
};

// Prevents DNS rebinding: a different site must not read emails through a host name of its own.
const isLocal = ({ headers: { host = '' } }: IncomingMessage): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

const respond = async (mailbox: Mailbox, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const result = isLocal(request) ? await handleRequest(mailbox, request) : html(renderNotFoundPage(), 421);
  response.writeHead(result.status ?? 200, {
    'content-type': result.type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...result.headers,
  });
  response.end(result.body);
};

export const createWebServer = (mailbox: Mailbox): Server =>
  createServer((request, response) => {
    respond(mailbox, request, response).catch((error: Error) => {
      console.error(error.message);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
