import type { Endpoint } from '@atrium/proto-events/endpoint';

/**
 * Which calls a test file makes. The convention that this reads: a call is written with its method and its path as two neighbouring
 * literals, as in `service.call('POST', '/projects', …)` or `call(as, 'GET', `/meetings/${id}`)`, the path below what a helper of
 * the file puts before it (`service.call(method, `/documents${path}`)`); or as an address with the method beside it in the options
 * of `fetch` or `request`.
 */
export function testedCalls(source: string): string[] {
  const before = [...source.matchAll(/\.call\(method,\s*`(\/[\w-]+)\$\{path\}`/g)].map(([, prefix]) => prefix ?? '');
  const pairs = [...source.matchAll(/'(GET|POST|PATCH|DELETE)',\s*(?:\w+\()?[`'](\/?[^`']*)[`']/g)].flatMap(
    ([, method, path = '']) => ['', ...before].map((prefix) => `${method} ${plain(prefix + path)}`),
  );
  const addresses = [...source.matchAll(/\/api(\/[^`'"]*)[`'"]([^;]{0,200})/g)].map(([, path, options]) => {
    const method = /method:\s*'(GET|POST|PATCH|DELETE)'/.exec(options ?? '')?.[1] ?? 'GET';
    return `${method} ${plain(path ?? '')}`;
  });
  return [...pairs, ...addresses];
}

/** Whether one of the calls is to this endpoint; a value put into a path stands for any parameter. */
export function isTested({ method, path }: Endpoint, calls: readonly string[]): boolean {
  const parts = path.split('/').map((part) => (part.startsWith(':') ? ANY : part));
  return calls.some((call) => {
    const [verb, given = ''] = call.split(' ');
    const others = given.split('/');
    return verb === method && others.length === parts.length && parts.every((part, n) => fits(part, others[n] ?? ''));
  });
}

const ANY = ':';
const fits = (part: string, given: string) => (part === ANY ? given !== '' : part === given);

/** Without the query, and every inserted value as one mark. */
function plain(path: string): string {
  return path.replaceAll(/\$\{[^}]*\}/g, ANY).replace(/[?#].*$/, '');
}
