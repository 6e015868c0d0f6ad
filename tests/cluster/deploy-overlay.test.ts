import { expect, it } from '@jest/globals';
import { builtImages } from './deploy-overlay.ts';

it('builtImages returns each locally built image of a manifest once', () => {
  const manifests = [
    '      - image: atrium/auth:0.2.0',
    '        image: atrium/auth:0.2.0',
    '        image: atrium/auth:0.9.0',
    '        image: atrium-standin/redis:1',
    '        image: nats:2.12.1-alpine',
  ];
  expect(builtImages(manifests.join('\n'))).toEqual([
    'atrium/auth:0.2.0',
    'atrium/auth:0.9.0',
    'atrium-standin/redis:1',
  ]);
});
