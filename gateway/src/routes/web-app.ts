import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Request, RequestHandler, Response } from 'express';

const PAGE = '/index.html';
const HASHED = /^\/assets\//;
const YEAR_SECONDS = 31_536_000;
const COMPRESSED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Navigations to other paths get the page; missing files are 404. */
export function createWebApp(root: string): RequestHandler {
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const file = fileName(req.path);
    if (file !== undefined && file !== PAGE && (await isFile(join(root, file)))) return sendBest(req, res, root, file);
    if ((extname(req.path) !== '' && file !== PAGE) || HASHED.test(req.path) || !req.accepts('html')) throw notFound();
    if (!(await isFile(join(root, PAGE)))) throw notFound();
    await sendBest(req, res, root, PAGE);
  };
}

function fileName(path: string): string | undefined {
  try {
    const name = normalize(decodeURIComponent(path));
    const outside = name.includes('\0') || name.split(sep).some((part) => part.startsWith('.'));
    return outside || name.endsWith('/') ? undefined : name;
  } catch {
    return undefined;
  }
}

async function sendBest(req: Request, res: Response, root: string, file: string): Promise<void> {
  res.vary('Accept-Encoding');
  res.setHeader('Cache-Control', HASHED.test(file) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  const suffix = await bestEncoding(req, res, join(root, file));
  res.type(extname(file) || 'application/octet-stream');
  await new Promise<void>((resolve, reject) => {
    res.sendFile(file + suffix, { root, cacheControl: false, dotfiles: 'deny' }, (error) => {
      if (isOutOfRange(error)) res.status(416).end();
      // The client disconnected.
      else if (error && !res.headersSent && !res.destroyed) return reject(error);
      resolve();
    });
  });
}

const isOutOfRange = (error: Error | undefined) => error !== undefined && 'status' in error && error.status === 416;

async function bestEncoding(req: Request, res: Response, path: string): Promise<string> {
  for (const [encoding, suffix] of COMPRESSED) {
    if (req.acceptsEncodings(encoding) && (await isFile(path + suffix))) {
      res.setHeader('Content-Encoding', encoding);
      return suffix;
    }
  }
  return '';
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}
