import aws4 from 'aws4';
import type { S3Access } from './config.ts';

/** Lifetime of a link from its signing time (at most five minutes). */
const LIFETIME_SECONDS = 300;
const MINUTE_MS = 60_000;
const FRESH = { stableMs: MINUTE_MS };
/** Applies to thumbnails, which pages show repeatedly. At least three of the five minutes remain. */
const CACHEABLE = { stableMs: 2 * MINUTE_MS };
const MAX_CACHED_LINKS = 20_000;

export type LinkTarget = {
  objectKey: string;
  disposition: string;
  contentType: string;
  /** Signs as of the last even minute, so that the link stays the same and browsers can cache the thumbnail. */
  isCacheable?: boolean;
};

type LinkSigner = (target: LinkTarget, now?: Date) => string;

/**
 * Signs for the address that browsers use. Lists of a hundred rows are requested repeatedly, so a link is stable for a
 * minute. It remains valid for four to five minutes, and a cacheable link for three to five.
 */
export function createLinkSigner(config: S3Access): LinkSigner {
  const sign = createSigner(config, new URL(config.S3_PUBLIC_URL));
  const caches = { fresh: memoizeLast(createLinkCache), cacheable: memoizeLast(createLinkCache) };
  return (target, now = new Date()) => {
    const { stableMs } = target.isCacheable ? CACHEABLE : FRESH;
    const time = new Date(Math.floor(now.getTime() / stableMs) * stableMs);
    const links = caches[target.isCacheable ? 'cacheable' : 'fresh'](time.toISOString());
    const cacheKey = `${target.objectKey}\n${target.contentType}\n${target.disposition}`;
    const cachedLink = links.get(cacheKey);
    if (cachedLink !== undefined) return cachedLink;
    if (links.size >= MAX_CACHED_LINKS) links.clear();
    const link = sign({
      method: 'GET',
      path: [config.S3_BUCKET, ...target.objectKey.split('/')],
      query: {
        'response-cache-control': target.isCacheable ? `private, max-age=${LIFETIME_SECONDS}` : 'private, no-store',
        'response-content-disposition': target.disposition,
        'response-content-type': target.contentType,
      },
      time,
    });
    links.set(cacheKey, link);
    return link;
  };
}

const createLinkCache = (_time: string) => new Map<string, string>();

type SignedRequest = {
  method: 'GET' | 'PUT';
  path: string[];
  query?: Record<string, string>;
  time: Date;
};

/** Signs requests to an origin by query parameters (AWS Signature Version 4), with an unsigned payload. */
export function createSigner(config: S3Access, { origin, host }: URL): (request: SignedRequest) => string {
  const credentials = { accessKeyId: config.S3_ACCESS_KEY, secretAccessKey: config.S3_SECRET_KEY };
  return ({ method, path, query, time }) => {
    const parameters = new URLSearchParams({
      'X-Amz-Date': time.toISOString().replace(/[:-]|\.\d{3}/g, ''),
      'X-Amz-Expires': String(LIFETIME_SECONDS),
      ...query,
    });
    const request = {
      method,
      host,
      path: `/${path.map(encodeURIComponent).join('/')}?${parameters}`,
      service: 's3',
      region: config.S3_REGION,
      signQuery: true,
    };
    return `${origin}${aws4.sign(request, credentials).path}`;
  };
}

function memoizeLast<T>(compute: (argument: string) => T): (argument: string) => T {
  let last: { argument: string; value: T } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, value: compute(argument) };
    return last.value;
  };
}

/**
 * The object store's clock decides whether a signature is valid. Without it, a pod whose clock is ten minutes
 * off would issue expired links and consider the store unavailable.
 */
export type ClockSkew = {
  now(): Date;
  /** Returns whether the skew changed. */
  update(date: string | null | undefined): boolean;
};

/** Tolerates latency and the whole seconds of the header. */
const SLACK_MS = 5_000;

export function createClockSkew(): ClockSkew {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    update(date) {
      const storeTime = Date.parse(date ?? '');
      if (Number.isNaN(storeTime) || Math.abs(storeTime - Date.now() - aheadMs) < SLACK_MS) return false;
      aheadMs = storeTime - Date.now();
      return true;
    },
  };
}
