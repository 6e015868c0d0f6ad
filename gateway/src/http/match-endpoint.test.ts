import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { describe, expect, it } from '@jest/globals';
import { createEndpointMatcher } from './match-endpoint.ts';

const { findPattern } = createEndpointMatcher();

describe('findPattern', () => {
  it.each([...new Set(ALL_ENDPOINTS.map(({ endpoint }) => endpoint.path))])('finds the route pattern %s', (path) => {
    expect(findPattern(`/api${path.toLowerCase().replaceAll(/:\w+/g, '64b7f0c2a1b2c3d4e5f60718')}`)).toBe(path);
  });

  it.each(['/api', '/api/nothing', '/api/projects/a/b/c/d', '/api/users/profile/nothing/at/all'])(
    'finds no route pattern for %s',
    (path) => {
      expect(findPattern(path)).toBeUndefined();
    },
  );
});
