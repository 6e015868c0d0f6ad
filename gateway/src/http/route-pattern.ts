import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { API_PREFIX } from '@atrium/proto-events/endpoint';

type Place = { fixed: Map<string, Place>; parameter?: Place; pattern?: string };

const newPlace = (): Place => ({ fixed: new Map() });

/** Returns a function that finds the pattern of a path below `/api`, such as `/projects/:id`; undefined if no endpoint matches. */
export function createPatternFinder(): (route: string) => string | undefined {
  const root = newPlace();
  for (const { endpoint } of ALL_ENDPOINTS) plant(root, endpoint.path);
  return (route) => find(root, route.slice(API_PREFIX.length).split('/').filter(Boolean));
}

function plant(root: Place, pattern: string): void {
  let place = root;
  for (const part of pattern.split('/').filter(Boolean))
    place = part.startsWith(':') ? parameter(place) : fixed(place, part);
  place.pattern = pattern;
}

function parameter(place: Place): Place {
  place.parameter ??= newPlace();
  return place.parameter;
}

function fixed(place: Place, part: string): Place {
  const known = place.fixed.get(part.toLowerCase()) ?? newPlace();
  place.fixed.set(part.toLowerCase(), known);
  return known;
}

/** Literal segments take precedence over parameters, as in the services. */
function find(place: Place, [part, ...rest]: string[]): string | undefined {
  if (part === undefined) return place.pattern;
  const next = place.fixed.get(part);
  return (next && find(next, rest)) ?? (place.parameter && find(place.parameter, rest));
}
