type Params = Readonly<Record<string, string>> | undefined;
type Query = Readonly<Record<string, unknown>> | undefined;

export function buildPath(path: string, params: Params, query: Query): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]): [string, string] => [name, String(value)]);
  const search = new URLSearchParams(pairs).toString();
  return search ? `${filled}?${search}` : filled;
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}
