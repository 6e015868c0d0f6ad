import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { API_PREFIX } from '@atrium/proto-events/endpoint';

type RouteNode = { literal: Map<string, RouteNode>; parameter?: RouteNode; pattern?: string };

const createNode = (): RouteNode => ({ literal: new Map() });

/** Returns a function that finds the pattern of a path below `/api`, such as `/projects/:id`; undefined if no endpoint matches. */
export function createPatternFinder(): (route: string) => string | undefined {
  const root = createNode();
  for (const { endpoint } of ALL_ENDPOINTS) insert(root, endpoint.path);
  return (route) => find(root, route.slice(API_PREFIX.length).split('/').filter(Boolean));
}

function insert(root: RouteNode, pattern: string): void {
  let node = root;
  for (const part of pattern.split('/').filter(Boolean))
    node = part.startsWith(':') ? parameter(node) : literal(node, part);
  node.pattern = pattern;
}

function parameter(place: RouteNode): RouteNode {
  place.parameter ??= createNode();
  return place.parameter;
}

function literal(place: RouteNode, part: string): RouteNode {
  const known = place.literal.get(part.toLowerCase()) ?? createNode();
  place.literal.set(part.toLowerCase(), known);
  return known;
}

/** Literal segments take precedence over parameters, as in the services. */
function find(place: RouteNode, [part, ...rest]: string[]): string | undefined {
  if (part === undefined) return place.pattern;
  const next = place.literal.get(part);
  return (next && find(next, rest)) ?? (place.parameter && find(place.parameter, rest));
}
