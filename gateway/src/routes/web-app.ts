import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Request, RequestHandler, Response } from 'express';
import { setAssetHeaders } from '../http/security-headers.ts';

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
    const file = toFileName(req.path);
    if (file !== undefined && file !== PAGE && (await isFile(join(root, file)))) return sendFile(req, res, root, file);
    if ((extname(req.path) !== '' && file !== PAGE) || HASHED.test(req.path) || !req.accepts('html')) throw notFound();
    if (!(await isFile(join(root, PAGE)))) throw notFound();
    await sendFile(req, res, root, PAGE);
  };
}

function toFileName(path: string): string | undefined {
  try {
    const name = normalize(decodeURIComponent(path));
    const isOutside = name.includes('\0') || name.split(sep).some((part) => part.startsWith('.'));
    return isOutside || name.endsWith('/') ? undefined : name;
  } catch {
    return undefined;
  }
}

async function sendFile(req: Request, res: Response, root: string, file: string): Promise<void> {
  res.vary('Accept-Encoding');
  const isAsset = HASHED.test(file);
  if (isAsset) setAssetHeaders(res);
  res.setHeader('Cache-Control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  const { encoding, suffix } = await negotiateEncoding(req, join(root, file));
  if (encoding !== undefined) res.setHeader('Content-Encoding', encoding);
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

type NegotiatedEncoding = { encoding: string | undefined; suffix: string };

async function negotiateEncoding(req: Request, path: string): Promise<NegotiatedEncoding> {
  for (const [encoding, suffix] of COMPRESSED) {
    if (req.acceptsEncodings(encoding) && (await isFile(path + suffix))) return { encoding, suffix };
  }
  return { encoding: undefined, suffix: '' };
}

async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ?? false;
}
