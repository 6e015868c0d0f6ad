import { requestContext } from '@atrium/service-kit/observability/request-context';
import type { Request } from 'express';

export type SessionClient = { device: string | null; address: string | null };

export function clientOf(req: Request): SessionClient {
  return { device: deviceOf(req.get('user-agent')), address: requestContext.getStore()?.address ?? null };
}

type NamePattern = readonly [pattern: RegExp, name: string];

// Order matters: most browsers also claim to be Chrome or Safari.
const BROWSERS: readonly NamePattern[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/^(?=.*\bVersion\/\S).*\bSafari\//, 'Safari'],
];

// Order matters: an iPhone claims "like Mac OS X", Android claims Linux.
const SYSTEMS: readonly NamePattern[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Returns browser and system for display, such as "Firefox on Linux"; null if neither is known. */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, 500);
  const browser = findName(BROWSERS, text);
  const system = findName(SYSTEMS, text);
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null);
}

const findName = (patterns: readonly NamePattern[], text: string) =>
  patterns.find(([pattern]) => pattern.test(text))?.[1];
