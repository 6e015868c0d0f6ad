import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

type Header = readonly [name: string, value: string];

const NONE = ["'none'"];
const SELF = ["'self'"];

/** styled-components inserts rules through the CSSOM, so its element is empty; the other styles are React Aria's. */
const STYLES = [
  '',
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);

/** Allows images, media, and fetches from the origins of presigned links. */
const pageOptions = (fileOrigins: readonly string[]) =>
  ({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: SELF,
        scriptSrc: SELF,
        scriptSrcAttr: NONE,
        styleSrc: [...SELF, ...STYLES],
        imgSrc: [...SELF, ...fileOrigins, 'data:', 'blob:'],
        mediaSrc: [...SELF, ...fileOrigins],
        fontSrc: SELF,
        // 'self' includes ws: and wss: for the page's own host and port.
        connectSrc: [...SELF, ...fileOrigins],
        workerSrc: SELF,
        manifestSrc: SELF,
        frameSrc: NONE,
        objectSrc: NONE,
        baseUri: NONE,
        formAction: SELF,
        frameAncestors: NONE,
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: false,
  }) satisfies HelmetOptions;

/** Stored files are untrusted: even when opened directly, they get no scripts, forms, or origin. */
const storedFileOptions = {
  ...pageOptions([]),
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: NONE, frameAncestors: NONE, sandbox: [] },
  },
} satisfies HelmetOptions;

/** Clipboard write, fullscreen, and the microphone, for voice notes, stay available to same-origin pages. */
const UNUSED_FEATURES = [
  'accelerometer',
  'bluetooth',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'midi',
  'otp-credentials',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking',
];

const PERMISSIONS: Header = [
  'Permissions-Policy',
  [
    ...UNUSED_FEATURES.map((name) => `${name}=()`),
    'clipboard-write=(self)',
    'fullscreen=(self)',
    'microphone=(self)',
  ].join(', '),
];

type SecurityHeaderOptions = {
  filesUrl: string | undefined;
  /** Whether all subdomains are served over TLS only (RFC 6797, section 11.4). */
  hstsIncludesSubdomains: boolean;
};

/**
 * For scripts, styles, and fonts, of which only a worker's script has a policy of its own. The headers of pages would add a
 * kilobyte to each of the many files of a first load.
 */
export function setAssetHeaders(res: ServerResponse): void {
  res.setHeader('Content-Security-Policy', "default-src 'self';frame-ancestors 'none'");
  res.removeHeader('Permissions-Policy');
}

export type SecurityHeaders = { common: readonly Header[]; storedFile: readonly Header[]; hsts: Header };

export function securityHeaders({ filesUrl, hstsIncludesSubdomains }: SecurityHeaderOptions): SecurityHeaders {
  return {
    common: [...recordHeaders(pageOptions(filesUrl === undefined ? [] : [new URL(filesUrl).origin])), PERMISSIONS],
    storedFile: [...recordHeaders(storedFileOptions), PERMISSIONS],
    hsts: ['Strict-Transport-Security', `max-age=31536000${hstsIncludesSubdomains ? '; includeSubDomains' : ''}`],
  };
}

export function setHeaders(res: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) res.setHeader(name, value);
}

function recordHeaders(options: HelmetOptions): Header[] {
  const headers: Header[] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  let failure: unknown;
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    failure = error;
  });
  if (failure) throw failure;
  return headers;
}
