/** The head of an answer: its status, and its headers by their names in lower case. */
export type AnswerHead = { status: number; headers: Readonly<Record<string, string>> };

const STATUS_LINE = /^HTTP\/1\.1 ([2-5]\d\d)(?: [^\r\n]*)?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/;

/**
 * Reads the head of an HTTP/1.1 answer, without the empty line at its end (RFC 9112). Undefined for whatever is not as plain as an object
 * store writes it: lines that go on, a header that is there twice, names that are none. Who needs those asks by a whole client.
 */
export function readAnswerHead(text: string): AnswerHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    // A store may have several cookies to set or ways to vary; what says where the body ends stands there once.
    if (key in headers && FRAMING.has(key)) return undefined;
    headers[key] = value;
  }
  return { status: Number(status), headers };
}

const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection']);

/** How many bytes follow the head; undefined where it does not say so by a length alone. */
export function bodyLength({ status, headers }: AnswerHead, method: string | undefined): number | undefined {
  if (method === 'HEAD' || status === 204 || status === 304) return 0;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] !== undefined || length === undefined) return undefined;
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
