import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { describe, expect, it } from '@jest/globals';
import { createEndpointMatcher } from './match-endpoint.ts';

const patternOf = createEndpointMatcher().patternOf;

describe('the route pattern', () => {
  it.each([...new Set(ALL_ENDPOINTS.map(({ endpoint }) => endpoint.path))])('is found for %s', (path) => {
    expect(patternOf(`/api${path.toLowerCase().replaceAll(/:\w+/g, '64b7f0c2a1b2c3d4e5f60718')}`)).toBe(path);
  });

  it.each(['/api', '/api/nothing', '/api/projects/a/b/c/d', '/api/users/profile/nothing/at/all'])(
    'is none for %s',
    (path) => {
      expect(patternOf(path)).toBeUndefined();
    },
  );
});
