import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

type Header = readonly [name: string, value: string];

const NONE = ["'none'"];
const SELF = ["'self'"];

/**
 * The only texts that a `<style>` element may hold. Nothing: styled-components fills its empty one through the CSSOM, which a policy
 * allows, but the element itself must pass first. And two rules that react-aria writes, for touch screens.
 */
const STYLES = [
  '',
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);

/** `files` is where browsers reach files, if not here: only what shows one, or reads it to show it, may go there. */
const pageFor = (files: readonly string[]) =>
  ({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: SELF,
        scriptSrc: SELF,
        scriptSrcAttr: NONE,
        styleSrc: [...SELF, ...STYLES],
        imgSrc: [...SELF, ...files, 'data:', 'blob:'],
        mediaSrc: [...SELF, ...files],
        fontSrc: SELF,
        // 'self' covers the socket, too: ws: and wss: to the page's own host and port.
        connectSrc: [...SELF, ...files],
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

/** A stored file may be anything: even opened by itself it gets no script, no form, no origin. */
const storedFile = {
  ...pageFor([]),
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: NONE, frameAncestors: NONE, sandbox: [] },
  },
} satisfies HelmetOptions;

/** Devices and powers of a browser that no screen asks for. Copying to the clipboard and full screen stay with our own pages. */
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
  'microphone',
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
  [...UNUSED_FEATURES.map((name) => `${name}=()`), 'clipboard-write=(self)', 'fullscreen=(self)'].join(', '),
];

type SecurityHeaderOptions = {
  /** The address for which links to files are signed; what is the product's own needs no naming, and does no harm. */
  filesUrl: string | undefined;
  /** Whether every host below the product's own is reached over TLS only, too (RFC 6797, section 11.4). */
  hstsIncludesSubdomains: boolean;
};

export type SecurityHeaders = { page: readonly Header[]; storedFile: readonly Header[]; tls: Header };

/**
 * Asks helmet once: the values never change, and composing them for each request costs more than sending them.
 */
export function securityHeaders({ filesUrl, hstsIncludesSubdomains }: SecurityHeaderOptions): SecurityHeaders {
  return {
    page: [...headersOf(pageFor(filesUrl === undefined ? [] : [new URL(filesUrl).origin])), PERMISSIONS],
    storedFile: [...headersOf(storedFile), PERMISSIONS],
    tls: ['Strict-Transport-Security', `max-age=31536000${hstsIncludesSubdomains ? '; includeSubDomains' : ''}`],
  };
}

export function setHeaders(res: ServerResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) res.setHeader(name, value);
}

function headersOf(options: HelmetOptions): Header[] {
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
