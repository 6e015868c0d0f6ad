import type { IncomingMessage } from 'node:http';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { API_PREFIX, type Endpoint } from '@atrium/proto-events/endpoint';

type EndpointMatcher = {
  findPattern(path: string): string | undefined;
  /** Uploads are streamed; the service limits their size and duration. */
  isUpload(req: IncomingMessage, path: string): boolean;
  /** Accepts safe methods (RFC 9110, section 9.2.1), and writes with an idempotency key or field. */
  isRetryable(req: IncomingMessage, path: string, body: Buffer | undefined): boolean;
};

type PathNode = { literals: Map<string, PathNode>; parameter?: PathNode; pattern?: string };

const createNode = (): PathNode => ({ literals: new Map() });
const splitPath = (path: string) => path.split('/').filter(Boolean);

const MULTIPART = /^multipart\/form-data\b/i;

export function createEndpointMatcher(): EndpointMatcher {
  const root = createNode();
  const endpoints = new Map<string, Endpoint>();
  for (const { endpoint } of ALL_ENDPOINTS) {
    insertPattern(root, endpoint.path);
    endpoints.set(`${endpoint.method} ${endpoint.path}`, endpoint);
  }
  const findPattern = (path: string) => findNodePattern(root, splitPath(path.slice(API_PREFIX.length)));
  const findEndpoint = ({ method }: IncomingMessage, path: string) => endpoints.get(`${method} ${findPattern(path)}`);
  return {
    findPattern,
    isUpload(req, path) {
      const { multipart, binaryBody, body } = findEndpoint(req, path) ?? {};
      if (!multipart && !binaryBody) return false;
      return body === undefined || MULTIPART.test(req.headers['content-type'] ?? '');
    },
    isRetryable(req, path, body) {
      if (req.method === 'GET' || req.method === 'HEAD') return true;
      const { idempotent, idempotencyField } = findEndpoint(req, path) ?? {};
      if (idempotent && req.headers['idempotency-key'] !== undefined) return true;
      return idempotencyField !== undefined && hasField(body, idempotencyField);
    },
  };
}

function insertPattern(root: PathNode, pattern: string): void {
  let node = root;
  for (const segment of splitPath(pattern))
    node = segment.startsWith(':') ? addParameter(node) : addLiteral(node, segment.toLowerCase());
  node.pattern = pattern;
}

function addParameter(node: PathNode): PathNode {
  node.parameter ??= createNode();
  return node.parameter;
}

function addLiteral(node: PathNode, segment: string): PathNode {
  const child = node.literals.get(segment) ?? createNode();
  node.literals.set(segment, child);
  return child;
}

/** Literal segments take precedence over parameters, as in the services. */
function findNodePattern(node: PathNode, [segment, ...rest]: string[]): string | undefined {
  if (segment === undefined) return node.pattern;
  const literal = node.literals.get(segment);
  return (literal && findNodePattern(literal, rest)) ?? (node.parameter && findNodePattern(node.parameter, rest));
}

function hasField(body: Buffer | undefined, field: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body?.toString() ?? '');
    return Object.hasOwn(Object(parsed), field) && Reflect.get(Object(parsed), field) !== null;
  } catch {
    return false;
  }
}
