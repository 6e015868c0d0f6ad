import { createHmac, hash } from 'node:crypto';
import type { S3Access } from './config.ts';

/** How long a link works from the moment it is signed as of (decisions, section 6: at most five minutes). */
const LIFE_SECONDS = 300;
const MINUTE_MS = 60_000;
const FRESH = { sameMs: MINUTE_MS };
/** Of a picture that a page shows again and again: no link lives longer, so these are handed out with three minutes left at least. */
const KEPT = { sameMs: 2 * MINUTE_MS };
const CACHED_LINKS = 20_000;

export type LinkTarget = {
  objectKey: string;
  disposition: string;
  contentType: string;
  /** A picture of a list: its link is signed as of the last full two minutes, so that it stays the same for these, and whoever has it keeps
   * what it gives. */
  isKept?: boolean;
};

/** Gives a link to an object; pure computing, no request is made. */
export type LinkSigner = (target: LinkTarget, now?: Date) => string;

/**
 * Signs links that save an object, for the address that browsers use. The client library takes 95 µs for one, mostly to derive
 * the day's key anew, and a list has 100 rows: so the key is kept for its day and a link for its minute. It lives four to five, that of a picture three to five.
 */
export function createLinkSigner(config: S3Access): LinkSigner {
  const sign = createSigner(config, new URL(config.S3_PUBLIC_URL));
  const caches = { fresh: keepLast(newLinks), kept: keepLast(newLinks) };
  return (target, now = new Date()) => {
    const { sameMs } = target.isKept ? KEPT : FRESH;
    const time = new Date(Math.floor(now.getTime() / sameMs) * sameMs);
    const links = caches[target.isKept ? 'kept' : 'fresh'](time.toISOString());
    const name = `${target.objectKey}\n${target.contentType}\n${target.disposition}`;
    const known = links.get(name);
    if (known !== undefined) return known;
    if (links.size >= CACHED_LINKS) links.clear();
    const link = sign({
      method: 'GET',
      path: [config.S3_BUCKET, ...target.objectKey.split('/')],
      query: [
        ['response-cache-control', target.isKept ? `private, max-age=${LIFE_SECONDS}` : 'private, no-store'],
        ['response-content-disposition', target.disposition],
        ['response-content-type', target.contentType],
      ],
      time,
    });
    links.set(name, link);
    return link;
  };
}

const newLinks = (_time: string) => new Map<string, string>();

/** `query` sorted by name, and after `X-Amz-…`, as the signature demands. */
export type SignedRequest = {
  method: 'GET' | 'HEAD' | 'PUT';
  path: string[];
  query?: [string, string][];
  time: Date;
  lifeSeconds?: number;
};

/** Signs requests whose body is not looked at as AWS Signature Version 4 by query parameters, for the host of that origin. */
export function createSigner(config: S3Access, { origin, host }: URL): (request: SignedRequest) => string {
  const dayKey = keepLast((day: string) => signingKey(config, day));
  return ({ method, path: segments, query: own = [], time: at, lifeSeconds = LIFE_SECONDS }) => {
    const time = at.toISOString().replace(/[:-]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const scope = `${day}/${config.S3_REGION}/s3/aws4_request`;
    const path = `/${segments.map(escapeRfc3986).join('/')}`;
    const parameters: [string, string][] = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', `${config.S3_ACCESS_KEY}/${scope}`],
      ['X-Amz-Date', time],
      ['X-Amz-Expires', String(lifeSeconds)],
      ['X-Amz-SignedHeaders', 'host'],
      ...own,
    ];
    const query = parameters.map(([name, value]) => `${name}=${escapeRfc3986(value)}`).join('&');
    const request = [method, path, query, `host:${host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
    const toSign = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', request, 'hex')].join('\n');
    const signature = createHmac('sha256', dayKey(day)).update(toSign).digest('hex');
    return `${origin}${path}?${query}&X-Amz-Signature=${signature}`;
  };
}

function signingKey(config: S3Access, day: string): Buffer {
  return [day, config.S3_REGION, 's3', 'aws4_request'].reduce<Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${config.S3_SECRET_KEY}`),
  );
}

/** `encodeURIComponent`, and the characters it leaves that RFC 3986 reserves. */
export function escapeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Remembers the last result of a function of one argument. */
function keepLast<T>(make: (argument: string) => T): (argument: string) => T {
  let last: { argument: string; value: T } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, value: make(argument) };
    return last.value;
  };
}
