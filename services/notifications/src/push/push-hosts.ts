/** The push services of Chrome and Edge, Firefox, Safari, and older versions of Edge. */
export const DEFAULT_PUSH_HOSTS =
  'fcm.googleapis.com,jmt17.google.com,*.push.services.mozilla.com,web.push.apple.com,*.notify.windows.com';

/** A host, `*.` and a domain, or an origin, which may be an unencrypted one. */
const PATTERN = /^(?:https?:\/\/[^/]+|(?:\*\.)?[a-z0-9.-]+)$/;

export const isHostPattern = (pattern: string): boolean => PATTERN.test(pattern);

/** Browsers choose the URL, so that without a list, anyone could have the service send requests anywhere. */
export function isAllowedEndpoint(endpoint: string, patterns: readonly string[]): boolean {
  const { origin, protocol, host, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  return patterns.some((pattern) => {
    if (pattern.includes('://')) return origin === new URL(pattern).origin;
    if (protocol !== 'https:') return false;
    return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
  });
}

const HOSTS_WITHOUT_SILENT_PUSHES = ['web.push.apple.com'];

/** Returns whether a push may show nothing. Safari ends subscriptions that receive such pushes. */
export const acceptsSilentPushes = (endpoint: string): boolean =>
  !HOSTS_WITHOUT_SILENT_PUSHES.includes(new URL(endpoint).host);
